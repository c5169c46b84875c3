// A store of objects on this device (IndexedDB), opened when it is first used.

/**
 * @param {string} database @param {string} name of its one store
 * @param {(database: IDBDatabase) => void} create makes the store where there is none yet
 */
export function onDisk(database, name, create) {
  /** @type {Promise<IDBDatabase> | undefined} */
  let opened;

  /**
   * Done when it is on the disk.
   * @template T
   * @param {IDBTransactionMode} mode @param {(store: IDBObjectStore) => IDBRequest<T>} work @returns {Promise<T>}
   */
  return async function stored(mode, work) {
    opened ??= new Promise((done, fail) => {
      const request = indexedDB.open(database, 1);
      request.onupgradeneeded = () => create(request.result);
      request.onsuccess = () => done(request.result);
      request.onerror = () => fail(request.error);
    });
    try {
      const transaction = (await opened).transaction(name, mode, { durability: "strict" });
      const request = work(transaction.objectStore(name));
      return await new Promise((done, fail) => {
        transaction.oncomplete = () => done(request.result);
        transaction.onerror = transaction.onabort = () => fail(transaction.error);
      });
    } catch (fault) {
      // It may work when it is opened anew: the browser may have closed the database.
      opened = undefined;
      throw fault;
    }
  };
}
