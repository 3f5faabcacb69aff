/** How many words a person reads in some HTML: what stands in tags, comments, scripts and styles is not read. */
export function wordCount(html: string): number {
  return readText(html).match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0
}

const UNREAD: readonly [begin: string, end: string][] = [
  ['<!--', '-->'],
  ['<script', '</script'],
  ['<style', '</style'],
]

/** In one pass, whatever is left open: the text is anybody's. */
function readText(html: string): string {
  const lower = html.toLowerCase()
  let text = ''
  let at = 0
  for (;;) {
    const tag = tagAfter(html, at)
    if (tag === -1) return text + withoutEntities(html.slice(at))
    text += `${withoutEntities(html.slice(at, tag))} `
    const unread = UNREAD.find(([begin]) => lower.startsWith(begin, tag))
    const end = unread ? lower.indexOf(unread[1], tag + unread[0].length) : tag
    const close = end === -1 ? -1 : html.indexOf('>', end)
    if (close === -1) return text
    at = close + 1
  }
}

function withoutEntities(text: string): string {
  return text.replace(/&(?:nbsp|ensp|emsp|thinsp|#160);/g, ' ').replace(/&#?\w{1,31};/g, '')
}

/** Where the next tag or comment begins: a `<` alone is a character. */
function tagAfter(html: string, from: number): number {
  let tag = html.indexOf('<', from)
  while (tag !== -1 && !/[a-z/!?]/i.test(html.charAt(tag + 1))) tag = html.indexOf('<', tag + 1)
  return tag
}
