/** The number of words in some HTML, without tags, comments, scripts and styles. Takes linear time for any input. */
export function wordCount(html: string): number {
  return visibleText(html).match(/[\p{L}\p{N}]+(?:['’.-][\p{L}\p{N}]+)*/gu)?.length ?? 0
}

const SKIPPED: readonly [begin: string, end: string][] = [
  ['<!--', '-->'],
  ['<script', '</script'],
  ['<style', '</style'],
]

function visibleText(html: string): string {
  const lower = html.toLowerCase()
  let text = ''
  let at = 0
  for (;;) {
    const tag = tagAfter(html, at)
    if (tag === -1) return text + withoutEntities(html.slice(at))
    text += `${withoutEntities(html.slice(at, tag))} `
    const skipped = SKIPPED.find(([begin]) => lower.startsWith(begin, tag))
    const end = skipped ? lower.indexOf(skipped[1], tag + skipped[0].length) : tag
    const close = end === -1 ? -1 : html.indexOf('>', end)
    if (close === -1) return text
    at = close + 1
  }
}

function withoutEntities(text: string): string {
  return text.replace(/&(?:nbsp|ensp|emsp|thinsp|#160);/g, ' ').replace(/&#?\w{1,31};/g, '')
}

/** Offset of the next tag or comment, or -1. A `<` that begins neither is text. */
function tagAfter(html: string, from: number): number {
  let tag = html.indexOf('<', from)
  while (tag !== -1 && !/[a-z/!?]/i.test(html.charAt(tag + 1))) tag = html.indexOf('<', tag + 1)
  return tag
}
