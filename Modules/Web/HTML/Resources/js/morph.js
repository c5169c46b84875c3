// Morphs the current page into a new one and keeps the reader's state: focus, input, open dialogs and menus, pending
// taps.

/** Attributes that the runtime sets and server pages lack. */
const ours = new Set(["style", "data-placed", "data-moving", "data-detent", "data-busy", "data-begun"]);

/** @param {Node} node @returns {node is HTMLElement | SVGElement} */
function isElement(node) {
  return node.nodeType === Node.ELEMENT_NODE;
}

/** @param {Node} node */
function isPreserved(node) {
  return isElement(node) && node.hasAttribute("data-keep");
}

/** @param {Element} from @param {Element} to */
function attributes(from, to) {
  for (const { name, value } of [...to.attributes]) {
    if (name === "open" && (from instanceof HTMLDialogElement || from instanceof HTMLDetailsElement)) continue;
    if (from.getAttribute(name) !== value) from.setAttribute(name, value);
  }
  for (const { name } of [...from.attributes]) {
    if (to.hasAttribute(name) || ours.has(name)) continue;
    if (name === "open") continue;
    from.removeAttribute(name);
  }
}

/**
 * Forms that the reader has begun to fill in. They keep their hidden fields: a newer `version` with older input would
 * silently overwrite what another person has saved meanwhile.
 * @type {WeakSet<HTMLFormElement>}
 */
const begun = new WeakSet();

/** @param {HTMLFormElement} form */
function isBegun(form) {
  // A refused form came with the state that it was refused for.
  return form.dataset.refused === undefined && (form.dataset.begun !== undefined || [...form.elements].some(isChanged));
}

/**
 * Whether the reader changed a field from the page's value.
 * @param {Element} field
 */
export function isChanged(field) {
  // Without a selected option, browsers select the first.
  if (field instanceof HTMLSelectElement) {
    return field.selectedIndex !== Math.max(0, [...field.options].findIndex((option) => option.defaultSelected));
  }
  if (field instanceof HTMLTextAreaElement) return field.value !== field.defaultValue;
  return field instanceof HTMLInputElement && field.type !== "hidden" &&
    (field.type === "file" ? field.value !== "" : field.value !== field.defaultValue || field.checked !== field.defaultChecked);
}

/**
 * Gives a field its new value unless the reader changed it.
 * @param {Element} from
 * @param {Element} to
 */
function fields(from, to) {
  const form = /** @type {HTMLInputElement} */ (from).form;
  // Values returned by a refusal are input, even though the page contains them.
  const isTyped = isChanged(from) || (form?.dataset.begun !== undefined && form.dataset.refused === undefined);
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) {
    if (from.type === "hidden" && form && begun.has(form)) return;
    const { value, checked } = from;
    attributes(from, to);
    if (from.type === "file") return;
    if (from.type === "checkbox" || from.type === "radio") from.checked = isTyped ? checked : to.checked;
    else from.value = isTyped && from.type !== "hidden" ? value : to.value;
  } else if (from instanceof HTMLTextAreaElement && to instanceof HTMLTextAreaElement) {
    const { value } = from;
    attributes(from, to);
    if (from.defaultValue !== to.defaultValue) from.defaultValue = to.defaultValue;
    from.value = isTyped ? value : to.value;
  } else if (from instanceof HTMLSelectElement && to instanceof HTMLSelectElement) {
    const { value } = from;
    attributes(from, to);
    children(from, to);
    from.value = isTyped && [...from.options].some((option) => option.value === value) ? value : to.value;
  }
}

/** @param {Node} from @param {Node} to */
function node(from, to) {
  if (!isElement(from) || !isElement(to)) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  if (from.hasAttribute("data-busy")) return;
  if (from.hasAttribute("data-toasts")) {
    from.append(...[...to.childNodes].map((child) => document.importNode(child, true)));
    return;
  }
  if (from.matches("input, textarea, select")) return fields(from, to);
  if (from instanceof HTMLFormElement) isBegun(from) ? begun.add(from) : begun.delete(from);
  attributes(from, to);
  // An island renders its own children and observes its properties.
  if (customElements.get(from.localName)) return;
  children(from, to);
}

/** @param {Node} from @param {Node} to */
function isLike(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName) return false;
  if (!isElement(from) || !isElement(to)) return true;
  if (from.id || to.id) return false;
  return from.classList[0] === to.classList[0] && from.getAttribute("name") === to.getAttribute("name");
}

/** @param {Element} from @param {Element} to */
function children(from, to) {
  /** @type {Map<string, Element>} */
  const known = new Map();
  for (const child of from.children) if (child.id) known.set(child.id, child);
  const wantedIds = new Set([...to.children].map((child) => child.id).filter(Boolean));
  /** @param {Node} child */
  const isWanted = (child) => (isElement(child) && child.id && wantedIds.has(child.id)) || isPreserved(child);
  let cursor = from.firstChild;
  for (const wanted of [...to.childNodes]) {
    while (cursor && isPreserved(cursor)) cursor = cursor.nextSibling;
    /** @type {ChildNode | null} */
    let match = null;
    if (isElement(wanted) && wanted.id) {
      const same = known.get(wanted.id);
      // Forms of different things may share an id; input for one must not be sent to the other.
      if (same && same.nodeName === wanted.nodeName && same.getAttribute("action") === wanted.getAttribute("action")) match = same;
      else if (same) {
        if (cursor === same) cursor = same.nextSibling;
        same.replaceWith(document.importNode(wanted, true));
        continue;
      }
    } else {
      match = cursor;
      while (match && !isLike(match, wanted)) match = match.nextSibling;
    }
    if (!match) {
      from.insertBefore(document.importNode(wanted, true), cursor);
      continue;
    }
    // Removing the nodes in between keeps the match in place: moving a node would lose its focus.
    while (cursor && cursor !== match && !isWanted(cursor)) {
      const next = cursor.nextSibling;
      cursor.remove();
      cursor = next;
    }
    if (cursor === match) cursor = cursor.nextSibling;
    else from.insertBefore(match, cursor);
    node(match, wanted);
  }
  while (cursor) {
    const next = cursor.nextSibling;
    if (!isPreserved(cursor)) cursor.remove();
    cursor = next;
  }
}

/**
 * Morphs `from` into `to`.
 * @param {Element} from
 * @param {Element} to
 */
export function morph(from, to) {
  const focused = document.activeElement;
  node(from, to);
  if (focused instanceof HTMLElement && focused.isConnected && document.activeElement !== focused) {
    focused.focus({ preventScroll: true });
  }
}
