import { matches } from './tiny-selector.ts'

/**
 * A small document for tests of components without a browser: nodes, attributes, events that bubble, the focus, dialogs
 * and popovers. It knows no layout and no styles.
 */

type Heard = (event: TinyEvent) => unknown
export type Child = TinyNode | string

/** An event whose way through the tree is walked by `TinyNode.send`, and which the window hears at the end. */
export class TinyEvent extends Event {
  isStopped = false
  /** The elements that it passes, the innermost first. */
  way: readonly TinyNode[] = []

  override composedPath(): EventTarget[] {
    return this.way as unknown as EventTarget[]
  }

  constructor(type: string, more: Record<string, unknown> = {}) {
    super(type, { bubbles: true, cancelable: true })
    for (const [name, value] of Object.entries(more)) Object.defineProperty(this, name, { value, writable: true })
  }

  override stopPropagation(): void {
    this.isStopped = true
  }

  override stopImmediatePropagation(): void {
    this.isStopped = true
  }
}

/** The name of what is no element: what stands in it is put in its place. */
const FRAGMENT = '#FRAGMENT'

export class TinyNode {
  parentNode: TinyElement | null = null
  childNodes: TinyNode[] = []

  constructor(
    readonly nodeType: number,
    readonly ownerDocument: TinyDocument,
    public data = '',
  ) {}

  get nodeName(): string {
    return '#text'
  }
  get nodeValue(): string {
    return this.data
  }
  get firstChild(): TinyNode | null {
    return this.childNodes[0] ?? null
  }
  get lastChild(): TinyNode | null {
    return this.childNodes.at(-1) ?? null
  }
  get nextSibling(): TinyNode | null {
    return this.parentNode?.childNodes[this.place + 1] ?? null
  }
  get previousSibling(): TinyNode | null {
    return this.parentNode?.childNodes[this.place - 1] ?? null
  }
  get parentElement(): TinyElement | null {
    return this.parentNode
  }
  get isConnected(): boolean {
    return this.ownerDocument.documentElement.isSame(this) || (this.parentNode?.isConnected ?? false)
  }
  get textContent(): string {
    return this.nodeType === 3 ? this.data : this.childNodes.map(({ textContent }) => textContent).join('')
  }
  set textContent(text: string) {
    this.replaceChildren(...(text === '' ? [] : [text]))
  }
  private get place(): number {
    return this.parentNode!.childNodes.indexOf(this)
  }

  isSame(other: TinyNode): boolean {
    return other === this
  }
  contains(other: TinyNode | null): boolean {
    return other !== null && (other === this || this.contains(other.parentNode))
  }
  insertBefore(child: TinyNode, before: TinyNode | null): TinyNode {
    if (child === before) return child
    if (child.nodeName === FRAGMENT) {
      for (const inner of [...child.childNodes]) this.insertBefore(inner, before)
      return child
    }
    child.remove()
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before)
    this.childNodes.splice(at, 0, child)
    child.parentNode = this as unknown as TinyElement
    return child
  }
  appendChild(child: TinyNode): TinyNode {
    return this.insertBefore(child, null)
  }
  removeChild(child: TinyNode): TinyNode {
    child.remove()
    return child
  }
  remove(): void {
    this.parentNode?.childNodes.splice(this.place, 1)
    this.parentNode = null
  }
  append(...children: Child[]): void {
    for (const child of children) this.appendChild(this.nodeOf(child))
  }
  before(...children: Child[]): void {
    for (const child of children) this.parentNode!.insertBefore(this.nodeOf(child), this)
  }
  replaceWith(...children: Child[]): void {
    this.before(...children)
    this.remove()
  }
  replaceChildren(...children: Child[]): void {
    for (const child of [...this.childNodes]) child.remove()
    this.append(...children)
  }
  private nodeOf(child: Child): TinyNode {
    return typeof child === 'string' ? this.ownerDocument.createTextNode(child) : child
  }
}

const WITH_VALUE = new Set(['input', 'textarea', 'select', 'option', 'button'])

export class TinyElement extends TinyNode {
  readonly style: Record<string, unknown> = { cssText: '', setProperty() {} }
  readonly listeners: { type: string; heard: Heard; capture: boolean }[] = []
  private readonly named = new Map<string, string>()
  isModal = false
  isShown = false
  declare value: string
  declare checked: boolean

  constructor(
    readonly localName: string,
    readonly namespaceURI: string,
    document: TinyDocument,
  ) {
    super(1, document)
    if (WITH_VALUE.has(localName)) this.value = ''
    if (localName === 'input') this.checked = false
  }

  override get nodeName(): string {
    return this.localName.toUpperCase()
  }
  get tagName(): string {
    return this.nodeName
  }
  get attributes(): { name: string; value: string }[] {
    return Array.from(this.named, ([name, value]) => ({ name, value }))
  }
  get dataset(): Record<string, string | undefined> {
    const nameOf = (key: string | symbol) =>
      `data-${String(key).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return new Proxy({} as Record<string, string | undefined>, {
      get: (_, key) => this.named.get(nameOf(key)),
      set: (_, key, value) => (this.setAttribute(nameOf(key), String(value)), true),
      deleteProperty: (_, key) => (this.removeAttribute(nameOf(key)), true),
    })
  }
  get children(): TinyElement[] {
    return this.childNodes.filter((node): node is TinyElement => node instanceof TinyElement)
  }
  get previousElementSibling(): TinyElement | null {
    const all = this.parentNode?.children ?? []
    return all[all.indexOf(this) - 1] ?? null
  }
  get holdsFocus(): boolean {
    return this.contains(this.ownerDocument.activeElement)
  }
  /** The cells of a row, and the rows of a part of a table. */
  get cells(): TinyElement[] {
    return this.children
  }
  get rows(): TinyElement[] {
    return this.children
  }
  /** The whole address of a link. */
  get href(): string {
    const href = this.getAttribute('href')
    return href === null ? '' : new URL(href, location.origin).href
  }
  set href(href: string) {
    this.setAttribute('href', href)
  }
  get origin(): string {
    return new URL(this.href).origin
  }
  get target(): string {
    return this.getAttribute('target') ?? ''
  }
  get download(): string {
    return this.getAttribute('download') ?? ''
  }
  set download(name: string) {
    this.setAttribute('download', name)
  }
  classes(): string[] {
    return (this.getAttribute('class') ?? '').split(' ')
  }

  getAttribute(name: string): string | null {
    return this.named.get(name.toLowerCase()) ?? null
  }
  setAttribute(name: string, value: unknown): void {
    this.named.set(name.toLowerCase(), String(value))
  }
  hasAttribute(name: string): boolean {
    return this.named.has(name.toLowerCase())
  }
  removeAttribute(name: string): void {
    this.named.delete(name.toLowerCase())
  }
  toggleAttribute(name: string, on = !this.hasAttribute(name)): void {
    if (on) this.setAttribute(name, '')
    else this.removeAttribute(name)
  }

  matches(selector: string): boolean {
    return matches(this, selector)
  }
  closest(selector: string): TinyElement | null {
    return this.matches(selector) ? this : (this.parentNode?.closest(selector) ?? null)
  }
  querySelectorAll(selector: string): TinyElement[] {
    const found: TinyElement[] = []
    const look = (within: TinyElement) => {
      for (const child of within.children) {
        if (matches(child, selector, this)) found.push(child)
        look(child)
      }
    }
    look(this)
    return found
  }
  querySelector(selector: string): TinyElement | null {
    return this.querySelectorAll(selector)[0] ?? null
  }

  addEventListener(type: string, heard: Heard, options?: boolean | { capture?: boolean; once?: boolean }): void {
    const capture = typeof options === 'object' ? (options.capture ?? false) : (options ?? false)
    this.listeners.push({ type, heard, capture })
  }
  removeEventListener(type: string, heard: Heard): void {
    const at = this.listeners.findIndex((listener) => listener.type === type && listener.heard === heard)
    if (at !== -1) this.listeners.splice(at, 1)
  }
  /** Sends an event down to this element and, where it bubbles, up again and to the window. False: it was prevented. */
  send(type: string, more: Record<string, unknown> = {}, bubbles = true): boolean {
    const event = new TinyEvent(type, { target: this, ...more })
    const way = this.wayUp()
    event.way = way
    const hear = (element: TinyElement, capture: boolean) => {
      if (event.isStopped) return
      Object.defineProperty(event, 'currentTarget', { value: element, configurable: true })
      for (const listener of [...element.listeners])
        if (listener.type === type && listener.capture === capture) listener.heard.call(element, event)
    }
    for (const element of way.toReversed()) hear(element, true)
    for (const element of bubbles ? way : [this]) hear(element, false)
    if (bubbles && !event.isStopped) {
      Object.defineProperty(event, 'currentTarget', { value: globalThis, configurable: true })
      dispatchEvent(event)
    }
    return !event.defaultPrevented
  }

  private wayUp(): TinyElement[] {
    return [this, ...(this.parentNode?.wayUp() ?? [])]
  }

  focus(): void {
    const { ownerDocument } = this
    const before = ownerDocument.activeElement
    if (before === this) return
    ownerDocument.activeElement = this
    before.send('blur', { relatedTarget: this }, false)
    before.send('focusout', { relatedTarget: this })
    this.send('focus', { relatedTarget: before }, false)
    this.send('focusin', { relatedTarget: before })
  }
  click(): void {
    this.send('click', { button: 0 })
  }
  blur(): void {
    if (this.ownerDocument.activeElement === this) this.ownerDocument.body.focus()
  }
  showModal(): void {
    this.isModal = true
  }
  close(): void {
    this.isModal = false
  }
  togglePopover(on = !this.isShown): void {
    if (on === this.isShown) return
    this.send('beforetoggle', { newState: on ? 'open' : 'closed' }, false)
    this.isShown = on
  }
  showPopover(): void {
    this.togglePopover(true)
  }
  hidePopover(): void {
    this.togglePopover(false)
  }
  getBoundingClientRect() {
    return { left: 0, top: 0, right: 0, bottom: 0, width: 0, height: 0 }
  }
  checkVisibility(): boolean {
    return true
  }
  scrollIntoView(): void {}
  select(): void {}
}

const HTML = 'http://www.w3.org/1999/xhtml'

export class TinyDocument {
  readonly nodeType = 9
  readonly documentElement: TinyElement
  readonly head: TinyElement
  readonly body: TinyElement
  private focused: TinyElement
  visibilityState = 'visible'
  title = ''

  constructor() {
    this.documentElement = this.createElement('html')
    this.head = this.createElement('head')
    this.body = this.createElement('body')
    this.documentElement.append(this.head, this.body)
    this.focused = this.body
  }

  get activeElement(): TinyElement {
    return this.focused.isConnected ? this.focused : this.body
  }
  set activeElement(element: TinyElement) {
    this.focused = element
  }

  createElement(name: string): TinyElement {
    return new TinyElement(name.toLowerCase(), HTML, this)
  }
  createElementNS(namespace: string, name: string): TinyElement {
    return new TinyElement(name, namespace, this)
  }
  createDocumentFragment(): TinyElement {
    return new TinyElement(FRAGMENT.toLowerCase(), HTML, this)
  }
  createTextNode(text: string): TinyNode {
    return new TinyNode(3, this, text)
  }
  getElementById(id: string): TinyElement | null {
    return this.documentElement.querySelector(`#${id}`)
  }
  querySelector(selector: string): TinyElement | null {
    return this.documentElement.querySelector(selector)
  }
  querySelectorAll(selector: string): TinyElement[] {
    return this.documentElement.querySelectorAll(selector)
  }
  addEventListener(type: string, heard: Heard): void {
    this.documentElement.addEventListener(type, heard)
  }
  removeEventListener(type: string, heard: Heard): void {
    this.documentElement.removeEventListener(type, heard)
  }
}
