import { expect, jest, test } from 'bun:test'
import { h } from 'preact'
import { loadFrame } from '../../../support/frames.ts'
import { useTab } from '../../../support/tab.ts'
import { SiteFrame } from '../../../../static/app/site/site/site-frame.tsx'

const tab = useTab()

async function shown(html: string): Promise<Document> {
  await tab.draw(h(SiteFrame, { html, label: 'The page' }))
  const before = tab.find<HTMLIFrameElement>('iframe').contentDocument?.documentElement?.textContent
  expect(before ?? '').toBe('')
  return loadFrame(tab)
}

test('Nothing of a page runs in its frame, and its links lead nowhere.', async () => {
  const inside = await shown(
    '<head><base href="https://x.example"><meta http-equiv="refresh" content="0"><meta name="a" content="b"></head>' +
      '<script>1</script><iframe></iframe><object></object><embed>' +
      '<a href="/about">About</a><a id="top">Top</a><p>Hi</p>',
  )
  const frame = tab.find('iframe')
  expect(['src', 'sandbox', 'title'].map((name) => frame.getAttribute(name))).toEqual([
    ...['/portal/preview-frame', 'allow-same-origin', 'The page'],
  ])
  expect(inside.querySelectorAll('script, base, meta[http-equiv], iframe, object, embed')).toHaveLength(0)
  expect(inside.querySelector('meta')!.getAttribute('name')).toBe('a')
  const [about, top] = inside.querySelectorAll('a')
  expect([about!.getAttribute('href'), about!.getAttribute('title')]).toEqual([null, '/about'])
  expect(top!.hasAttribute('title')).toBe(false)
  expect(inside.querySelector('p')!.textContent).toBe('Hi')
})

const SITE = 'https://masthead.example/sites/harbour'

test.each([
  ['link', '/css/a.css', `${SITE}/css/a.css`],
  ['link', '/files/1/a.css', '/files/1/a.css'],
  ['link', 'a.css', 'a.css'],
  ['link', 'https://x.example/a.css', null],
  ['link', 'http://x.example/a.css', null],
  ['link', '//x.example/a.css', null],
  ['img', '/logo.png', `${SITE}/logo.png`],
  ['img', '/files/1/logo.png', '/files/1/logo.png'],
  ['img', '//x.example/logo.png', '//x.example/logo.png'],
  ['img', 'https://x.example/logo.png', 'https://x.example/logo.png'],
] as const)('In a %s the address %s is %s.', async (name, address, comes) => {
  const at = name === 'link' ? 'href' : 'src'
  const inside = await shown(`<${name} ${at}="${address}">`)
  expect(inside.querySelector(name)?.getAttribute(at) ?? null).toBe(comes)
})

test('A source of a picture is one of the site, and is drawn again when nobody has typed for a moment.', async () => {
  jest.useFakeTimers()
  tab.atEnd(() => void jest.useRealTimers())
  const inside = await shown('<picture><source src="/a.webp"></picture>')
  expect(inside.querySelector('source')!.getAttribute('src')).toBe(`${SITE}/a.webp`)
  await tab.redraw(h(SiteFrame, { html: '<p>Later</p>', label: 'The page' }))
  await tab.pass(299)
  expect(inside.body.textContent).toBe('')
  await tab.pass(1)
  expect(inside.body.textContent).toBe('Later')
})
