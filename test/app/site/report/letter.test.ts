import { expect, test } from 'bun:test'
import { h } from 'preact'
import { loadFrame } from '../../../support/frames.ts'
import { Refusal, useTab } from '../../../support/tab.ts'
import { Letter } from '../../../../static/app/site/report/letter.tsx'

const tab = useTab()

const clicked = (url: string, unique_clicks: number) => ({ url, unique_clicks, clicks: 900 })
const HTML =
  '<a href="https://a.example/x?b=1&amp;utm_source=may&amp;utm_medium=mail">x</a>' +
  '<a href="https://a.example/x">no query</a>' +
  '<a href="{{ unsubscribe_url }}">leave</a>' +
  '<a href="https://b.example/">b</a><a name="top">top</a>'

test('Each link that somebody followed bears the number of people, whatever was added to count visits.', async () => {
  tab.answers['render'] = { html: HTML }
  const links = [
    clicked('https://a.example/x?b=1', 1_200),
    clicked('{{ unsubscribe_url }}', 2),
    clicked('https://b.example?utm_campaign=y', 1),
  ]
  await tab.draw(h(Letter, { id: 5, links }))
  expect(tab.sent('render')).toMatchObject([{ campaign_id: 5 }])
  expect(tab.body.querySelector('.skeleton')).toBeNull()
  const frame = tab.find<HTMLIFrameElement>('iframe')
  // What is drawn before the frame has come would be lost.
  expect([frame.contentDocument?.documentElement?.textContent ?? '', frame.style.blockSize]).toEqual(['', ''])
  expect(['src', 'sandbox', 'title'].map((name) => frame.getAttribute(name))).toEqual([
    ...['/portal/preview-frame', 'allow-same-origin', 'The letter'],
  ])
  const inside = await loadFrame(tab)
  expect(inside.body.textContent).toBe('x1,200no queryleave2b1top')
  expect([...inside.querySelectorAll('span')].map((mark) => mark.getAttribute('aria-label'))).toEqual([
    ...['clicked by 1,200 people', 'clicked by 2 people', 'clicked by 1 person'],
  ])
  expect(inside.querySelector('span')!.getAttribute('style')).toContain('background')
  expect(inside.querySelector('a[href]')).toBeNull()
  expect(frame.style.blockSize).toMatch(/^\d+px$/)
  await tab.redraw(h(Letter, { id: 5, links: [clicked('https://a.example/x', 3)] }))
  expect(inside.body.textContent).toBe('xno query3leavebtop')
})

test('A letter is waited for, and told of when it cannot be drawn.', async () => {
  tab.answers['render'] = () => new Promise(() => undefined)
  await tab.draw(h(Letter, { id: 6, links: [] }))
  expect(tab.texts('.skeleton')).toHaveLength(1)
  expect((await loadFrame(tab)).body.textContent).toBe('')
  tab.answers['render'] = new Refusal(403, 'FORBIDDEN')
  await tab.draw(h(Letter, { id: 7, links: [] }))
  expect(tab.text()).toContain('The letter could not be drawn.')
  expect(tab.body.querySelector('.skeleton')).toBeNull()
})
