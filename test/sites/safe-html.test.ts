import { expect, test } from 'bun:test'
import { safeHtmlTask } from '../../src/sites/safe-html.ts'

const safe = (html: string) => safeHtmlTask.run(null as never, html)

test('Scripts, styles, frames, handlers and unsafe schemes do not reach other sites.', async () => {
  for (const html of [
    '<script>x</script>',
    '<style>p{}</style>',
    '<iframe src="https://a.example"></iframe>',
    '<p onclick="x" style="x" class="y" id="z">a</p>',
    '<a href="javascript:x">a</a>',
    '<img src="data:image/png,x">',
    '<img src="mailto:a">',
  ])
    expect(await safe(html)).not.toMatch(/script|style|frame|onclick|class|id=|data:|mailto|\bx\b/)
})

test('Text, links, pictures and tables stay, and open tags are closed.', async () => {
  for (const html of [
    '<p lang="de" dir="ltr">a <del>b</del> <ins>c</ins></p>',
    '<a href="mailto:a@b.example" title="x">a</a>',
    '<img src="https://a.example/x.png" alt="x" width="5" height="6" />',
    '<ol start="3" reversed><li>a</li></ol>',
    '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
    '<time datetime="2026">a</time>',
  ])
    expect(await safe(html)).toBe(html)
  expect(await safe('<p><b>a')).toBe('<p><b>a</b></p>')
})
