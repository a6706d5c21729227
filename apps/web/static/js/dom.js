/** Elements, made and replaced. Text is always text: nothing that anybody typed becomes markup. */

/** @typedef {Node | string | number | null | undefined | false} Child */
/** @typedef {Record<string, string | number | boolean | null | undefined | ((event: any) => void)>} Attributes */

/**
 * An element. Attributes beginning with `on` are listeners; `true` sets an empty attribute; null, undefined and false leave it out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | readonly Child[])} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  set(element, attributes);
  add(element, children);
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Attributes} [attributes]
 * @param {...(Child | readonly Child[])} children
 * @returns {SVGElementTagNameMap[Tag]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  set(element, attributes);
  add(element, children);
  return /** @type {SVGElementTagNameMap[Tag]} */ (element);
}

/**
 * @param {Element} element
 * @param {Attributes} attributes
 */
function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value" && element instanceof HTMLInputElement) element.value = String(value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @param {Node} parent
 * @param {readonly (Child | readonly Child[])[]} children
 */
function add(parent, children) {
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    parent.appendChild(child instanceof Node ? child : document.createTextNode(String(child)));
  }
}

/**
 * Give an element other children.
 * @param {Element} element
 * @param {...(Child | readonly Child[])} children
 */
export function fill(element, ...children) {
  element.textContent = "";
  add(element, children);
}

/** What was drawn into an element last. @type {WeakMap<Element, string>} */
const drawn = new WeakMap();

/**
 * Give an element other children, where they differ from those it has: what is under somebody's finger stays there.
 * @param {Element} element
 * @param {unknown} from what the children are made from, all of it
 * @param {() => readonly Child[]} make
 */
export function refill(element, from, make) {
  const signature = JSON.stringify([from, document.documentElement.lang]);
  if (drawn.get(element) === signature) return;
  drawn.set(element, signature);
  fill(element, make());
}

/**
 * The element with this id. Throws where there is none: a page and its script belong together.
 * @param {string} id
 * @returns {HTMLElement}
 */
export function the(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`this page has no #${id}`);
  return found;
}
