import { expect, test } from 'bun:test'
import { h } from 'preact'
import { loadFrame, watches } from '../../../support/frames.ts'
import { useTab } from '../../../support/tab.ts'
import { TemplateFace } from '../../../../static/app/site/campaigns/template-face.tsx'

const tab = useTab()

test('A template is drawn once it is seen, as small as its place is, and never again.', async () => {
  const seen = watches(tab, 'IntersectionObserver')
  const sized = watches(tab, 'ResizeObserver')
  tab.answers['render'] = { html: '<p>Hi <a href="https://a.example">there</a></p>' }
  await tab.draw(h(TemplateFace, { id: 8 }))
  const place = tab.find('.template-face')
  expect(seen.map(({ target }) => target)).toEqual([place])
  await seen[0]!.tell({ isIntersecting: false })
  expect([tab.calls.length, tab.all('iframe').length]).toEqual([0, 0])
  await seen[0]!.tell({ isIntersecting: true })
  expect(tab.sent('render')).toMatchObject([{ template_id: 8 }])
  const frame = tab.find<HTMLIFrameElement>('iframe')
  expect(frame.contentDocument?.documentElement?.textContent ?? '').toBe('')
  expect(['src', 'sandbox', 'title', 'tabindex'].map((name) => frame.getAttribute(name))).toEqual([
    ...['/portal/preview-frame', 'allow-same-origin', '', '-1'],
  ])
  expect([place.getAttribute('aria-hidden'), place.hasAttribute('inert')]).toEqual(['true', true])
  expect(sized).toEqual([])
  const inside = await loadFrame(tab)
  expect([inside.body.textContent, inside.querySelector('a[href]')]).toEqual(['Hi there', null])
  expect(sized.map(({ target }) => target)).toEqual([place])
  for (const [name, value] of Object.entries({ clientWidth: 310, clientHeight: 200 }))
    Object.defineProperty(place, name, { value, configurable: true })
  await sized[0]!.tell()
  expect([frame.style.blockSize, frame.style.transform]).toEqual(['400px', 'scale(0.5)'])
  expect([seen[0]!.isOver, sized[0]!.isOver]).toEqual([false, false])
  await tab.draw(h('p', null))
  expect([seen[0]!.isOver, sized[0]!.isOver]).toEqual([true, true])
})
