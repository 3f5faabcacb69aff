import { html as HTML, InsertionMode, Parser, Token } from 'parse5'
import { invalid } from '../errors.ts'
import type { InsertionPoints } from '../store/tables/sites.ts'
import { type Bough, type BoughTypes, noTree } from './no-tree.ts'

export interface PageOutline {
  points: InsertionPoints
  /** The text of the first title element, blanks collapsed; empty without one. */
  title: string
}

/** Deeper than any browser builds a page (Chromium stops at 512). */
const MAX_DEPTH = 512
/** Unclosed formatting elements are opened again in each paragraph: a small page can ask for billions of elements. */
const MAX_REOPENED = 50_000
/** `<p>`: no element of the page's own is shorter. */
const SHORTEST_ELEMENT = 3
/** So much is read at a time, so that a large page holds up nobody else. */
const STEP = 64 * 1024

/**
 * Finds where scripts go into a page, once, when it is saved: by the algorithm that browsers parse with (HTML Living
 * Standard, 13.2.6), so that what stands in a comment, a script, a template or a drawing is not taken for a tag of the
 * page, and tags that are missing are where a browser supplies them. VALIDATION_FAILED, pointing at `html`, for a page
 * that nests deeper or opens more elements than any needs.
 */
export async function outlineOf(html: string, step = STEP): Promise<PageOutline> {
  // The decoder of a browser takes the byte order mark away before anything is parsed.
  const mark = html.startsWith('\uFEFF') ? 1 : 0
  const text = html.slice(mark)
  const outline = new OutlineParser(text)
  for (let at = 0; at < text.length; at += step) {
    if (at > 0)
      await new Promise<void>((resume) => {
        setImmediate(resume)
      })
    outline.tokenizer.write(text.slice(at, at + step), false)
  }
  outline.tokenizer.write('', true)
  return { points: shifted(outline.points, mark), title: outline.title.replace(/\s+/g, ' ').trim() }
}

function shifted({ head, body_start, body_end, body_implied }: InsertionPoints, by: number): InsertionPoints {
  return {
    head: head + by,
    body_start: body_start === null ? null : body_start + by,
    body_end: body_end === null ? null : body_end + by,
    body_implied,
  }
}

const { TAG_ID, NS } = HTML
const BLANK = /[\t\n\f\r ]/

/**
 * Elements in which markup that is put there is text, is dropped or does not run. When one is never closed, the point
 * after it is before it.
 */
const CLOSED_TO_SCRIPTS: ReadonlySet<number> = new Set([
  TAG_ID.TEMPLATE,
  TAG_ID.SELECT,
  TAG_ID.SCRIPT,
  TAG_ID.STYLE,
  TAG_ID.TITLE,
  TAG_ID.TEXTAREA,
  TAG_ID.XMP,
  TAG_ID.IFRAME,
  TAG_ID.NOEMBED,
  TAG_ID.NOFRAMES,
  TAG_ID.NOSCRIPT,
  TAG_ID.PLAINTEXT,
])

/** The parser with nothing built: it only watches when head and body are opened and closed. */
class OutlineParser extends Parser<BoughTypes> {
  title = ''
  private head: number | null = null
  private body_start: number | null = null
  private body_end: number | null = null
  private body_implied = false
  private body_has_end_tag = false
  private frameset = false
  private elements = 0
  private has_title = false
  /** The outermost open element that is closed to scripts, and where it begins. */
  private barrier: { node: Bough; at: number } | null = null

  /** The token in hand: the parser hands itself a token again when it changes its mode. */
  private token: Token.Token | null = null
  /** Where the token in hand begins, and where it ends. */
  private from = 0
  private to = 0
  /** Where the last tag, comment or doctype ends. */
  private markup_end = 0
  /** Where a comment or doctype begins that the page leaves open at its end. */
  private left_open: number | null = null

  constructor(private readonly text: string) {
    super({ treeAdapter: noTree, sourceCodeLocationInfo: true, scriptingEnabled: true })
  }

  get points(): InsertionPoints {
    const { frameset, body_start, body_end, body_implied } = this
    const head = this.head ?? this.text.length
    return frameset
      ? { head, body_start: null, body_end: null, body_implied: false }
      : { head, body_start, body_end: body_end ?? body_start, body_implied }
  }

  override onStartTag(token: Token.TagToken): void {
    this.take(token)
    super.onStartTag(token)
  }

  override onEndTag(token: Token.TagToken): void {
    if (!this.take(token)) return super.onEndTag(token)
    const wasOpen = !this.isAfterBody()
    super.onEndTag(token)
    if (wasOpen && this.isAfterBody()) this.bodyEnds(token)
  }

  override onCharacter(token: Token.CharacterToken): void {
    if (this.take(token) && this.body_start === null) this.from = this.textStart()
    if (this.barrier !== null && !this.has_title && isTitle(this.barrier.node)) this.title += token.chars
    super.onCharacter(token)
  }

  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.take(token)
    if (this.barrier !== null && !this.has_title && isTitle(this.barrier.node)) this.title += token.chars
    super.onWhitespaceCharacter(token)
  }

  override onNullCharacter(token: Token.CharacterToken): void {
    this.take(token)
    super.onNullCharacter(token)
  }

  override onComment(token: Token.CommentToken): void {
    this.take(token)
    super.onComment(token)
  }

  override onDoctype(token: Token.DoctypeToken): void {
    this.take(token)
    super.onDoctype(token)
  }

  override onEof(token: Token.EOFToken): void {
    if (this.token === token) return super.onEof(token)
    const end = this.endOfContent()
    this.token = token
    this.from = end
    super.onEof(token)
    this.body_end ??= end
  }

  override onItemPush(node: Bough, tag: number, isTop: boolean): void {
    super.onItemPush(node, tag, isTop)
    if (this.openElements.depth > MAX_DEPTH)
      throw invalid('/html', `The elements of the page nest deeper than ${MAX_DEPTH}.`)
    if (++this.elements > MAX_REOPENED + this.text.length / SHORTEST_ELEMENT)
      throw invalid('/html', 'The page opens the same unclosed elements too often.')
    if (node.namespaceURI !== NS.HTML || CLOSED_TO_SCRIPTS.has(tag)) this.barrier ??= { node, at: this.from }
    else if (tag === TAG_ID.BODY) this.bodyBegins()
    else if (tag === TAG_ID.FRAMESET) this.frameset = true
  }

  override onItemPop(node: Bough, isTop: boolean): void {
    super.onItemPop(node, isTop)
    if (this.barrier?.node === node) {
      this.has_title ||= isTitle(node)
      this.barrier = null
    }
    // A script after the head opens it once more for a moment: its first end is what counts.
    if (node === this.headElement) this.head ??= this.from
  }

  private take(token: Token.Token): boolean {
    if (this.token === token) return false
    const { startOffset, endOffset } = token.location!
    this.token = token
    this.from = startOffset
    this.to = Math.min(endOffset, this.text.length)
    if (!('chars' in token)) this.markup_end = this.to
    // A comment or doctype without its end is closed by the end of the page, one place behind it.
    if (endOffset > this.text.length) this.left_open = startOffset
    return true
  }

  /** Where the text that comes now begins: for a character reference behind blanks the parser tells where that ends. */
  private textStart(): number {
    let at = this.markup_end
    while (at < this.from && BLANK.test(this.text.charAt(at))) at++
    return at
  }

  private isAfterBody(): boolean {
    return this.insertionMode === InsertionMode.AFTER_BODY || this.insertionMode === InsertionMode.AFTER_AFTER_BODY
  }

  private bodyBegins(): void {
    const { token } = this
    const isTag = token?.type === Token.TokenType.START_TAG && token.tagID === TAG_ID.BODY
    this.body_start = isTag ? this.to : this.from
    this.body_implied = !isTag
  }

  /** By `</body>`, or by `</html>` where there is none. What stands after an end tag stays after it. */
  private bodyEnds(token: Token.TagToken): void {
    const isTag = token.tagID === TAG_ID.BODY
    if (!isTag && this.body_has_end_tag) return
    this.body_has_end_tag = isTag
    this.body_end = this.barrier?.at ?? this.from
  }

  /** The last place where markup is read as such: before whatever the page leaves open. */
  private endOfContent(): number {
    if (this.barrier !== null) return this.barrier.at
    if (this.left_open !== null) return this.left_open
    // A tag without its end is dropped, and no token tells of it.
    const { length } = this.text
    if (this.to < length) return this.to
    // Behind it anything would become a comment.
    return this.text.endsWith('</') ? length - 2 : length
  }
}

function isTitle(node: Bough): boolean {
  return node.tagName === 'title' && node.namespaceURI === NS.HTML
}
