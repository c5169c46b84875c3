// An object store on this device (IndexedDB), opened at its first use.

/**
 * @param {string} database @param {string} name of its one store
 * @param {(database: IDBDatabase) => void} create makes the store where there is none yet
 */
export function onDisk(database, name, create) {
  /** @type {Promise<IDBDatabase> | undefined} */
  let opened;

  /**
   * Runs work in a transaction and resolves when it is stored.
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
      // The browser may have closed the database; the next use opens it again.
      opened = undefined;
      throw fault;
    }
  };
}
