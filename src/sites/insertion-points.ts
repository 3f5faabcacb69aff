import { html as HTML, InsertionMode, Parser, Token } from 'parse5'
import { invalid } from '../errors.ts'
import { maxElements } from '../scripts/code.ts'
import type { InsertionPoints } from '../store/tables/sites.ts'
import { noTree, type ParserNode, type ParserTypes } from './no-tree.ts'

/** The depth at which Chromium stops nesting elements. */
const MAX_DEPTH = 512
/** Characters parsed before other requests get the thread. */
const STEP = 64 * 1024

/**
 * Finds the offsets at which scripts are inserted into a page. It runs once, when the page is saved, with the parsing
 * algorithm of browsers (HTML Living Standard, 13.2.6). Text in comments, scripts, templates or drawings is not read as
 * tags, and omitted tags are at the offsets where a browser implies them. Throws VALIDATION_FAILED at `/html` for a
 * page that nests too deep or creates too many elements. `title` is the text of the first title element with whitespace
 * collapsed; empty without one.
 */
export async function outlineOf(html: string, step = STEP): Promise<{ points: InsertionPoints; title: string }> {
  // Browsers remove the byte order mark before they parse.
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
 * Elements in which inserted scripts would be text, be dropped or not run. When one is never closed, the insertion
 * point moves from after it to before it.
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

/** A parser that builds no tree and only observes where head and body open and close. */
class OutlineParser extends Parser<ParserTypes> {
  title = ''
  private head: number | null = null
  private body_start: number | null = null
  private body_end: number | null = null
  private body_implied = false
  private body_has_end_tag = false
  private frameset = false
  private elements = 0
  private has_title = false
  /** The outermost open element in which scripts do not run, and its offset. */
  private barrier: { node: ParserNode; at: number } | null = null

  /** The current token. The parser processes a token again when it changes its insertion mode. */
  private token: Token.Token | null = null
  /** Start and end offset of the current token. */
  private from = 0
  private to = 0
  /** End offset of the last tag, comment or doctype. */
  private markup_end = 0
  /** Start offset of a comment or doctype that the page never closes. */
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
    this.begin(token)
    super.onStartTag(token)
  }

  override onEndTag(token: Token.TagToken): void {
    if (!this.begin(token)) return super.onEndTag(token)
    const wasOpen = !this.isAfterBody()
    super.onEndTag(token)
    if (wasOpen && this.isAfterBody()) this.bodyEnds(token)
  }

  override onCharacter(token: Token.CharacterToken): void {
    if (this.begin(token) && this.body_start === null) this.from = this.textStart()
    if (this.barrier !== null && !this.has_title && isTitle(this.barrier.node)) this.title += token.chars
    super.onCharacter(token)
  }

  override onWhitespaceCharacter(token: Token.CharacterToken): void {
    this.begin(token)
    if (this.barrier !== null && !this.has_title && isTitle(this.barrier.node)) this.title += token.chars
    super.onWhitespaceCharacter(token)
  }

  override onNullCharacter(token: Token.CharacterToken): void {
    this.begin(token)
    super.onNullCharacter(token)
  }

  override onComment(token: Token.CommentToken): void {
    this.begin(token)
    super.onComment(token)
  }

  override onDoctype(token: Token.DoctypeToken): void {
    this.begin(token)
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

  override onItemPush(node: ParserNode, tag: number, isTop: boolean): void {
    super.onItemPush(node, tag, isTop)
    if (this.openElements.depth > MAX_DEPTH)
      throw invalid('/html', `The elements of the page nest deeper than ${MAX_DEPTH}.`)
    if (++this.elements > maxElements(this.text))
      throw invalid('/html', 'The page opens the same unclosed elements too often.')
    if (node.namespaceURI !== NS.HTML || CLOSED_TO_SCRIPTS.has(tag)) this.barrier ??= { node, at: this.from }
    else if (tag === TAG_ID.BODY) this.bodyBegins()
    else if (tag === TAG_ID.FRAMESET) this.frameset = true
  }

  override onItemPop(node: ParserNode, isTop: boolean): void {
    super.onItemPop(node, isTop)
    if (this.barrier?.node === node) {
      this.has_title ||= isTitle(node)
      this.barrier = null
    }
    // A script after the head reopens it briefly; only the first end is an insertion point.
    if (node === this.headElement) this.head ??= this.from
  }

  /** Records the offsets of a token. False when the parser processes the same token again. */
  private begin(token: Token.Token): boolean {
    if (this.token === token) return false
    const { startOffset, endOffset } = token.location!
    this.token = token
    this.from = startOffset
    this.to = Math.min(endOffset, this.text.length)
    if (!('chars' in token)) this.markup_end = this.to
    // A comment or doctype that the end of the page closes ends one offset after the text.
    if (endOffset > this.text.length) this.left_open = startOffset
    return true
  }

  /** Start of the current text. For a character reference after whitespace the parser reports only its end. */
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

  /** At `</body>`, or at `</html>` when there is no `</body>`. Content after an end tag stays after it. */
  private bodyEnds(token: Token.TagToken): void {
    const isTag = token.tagID === TAG_ID.BODY
    if (!isTag && this.body_has_end_tag) return
    this.body_has_end_tag = isTag
    this.body_end = this.barrier?.at ?? this.from
  }

  /** The last offset at which markup is parsed as markup: before anything that the page leaves open. */
  private endOfContent(): number {
    if (this.barrier !== null) return this.barrier.at
    if (this.left_open !== null) return this.left_open
    // An unterminated tag is dropped without a token.
    const { length } = this.text
    if (this.to < length) return this.to
    // After `</` anything would become a comment.
    return this.text.endsWith('</') ? length - 2 : length
  }
}

function isTitle(node: ParserNode): boolean {
  return node.tagName === 'title' && node.namespaceURI === NS.HTML
}
