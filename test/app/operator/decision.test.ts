import { expect, test } from 'bun:test'
import { h } from 'preact'
import { Refusal, useTab } from '../../support/tab.ts'
import { ToastRegion } from '../../../static/app/ui/toast.tsx'
import { Decision } from '../../../static/app/operator/decision.tsx'

const tab = useTab({ scope: '/portal/operator', project: null })
const REPLIES = 'masthead-review-replies'
const decide = (verdict: string) => `POST /user/review-requests/5/${verdict}`
async function open(waiting: number[] = [7, 5, 3]) {
  tab.answers['GET /user/review-requests'] = { review_requests: waiting.map((id) => ({ id })) }
  const decision = h(Decision, { request: { id: 5 } as never, name: 'Tides, version 1,' })
  await tab.draw(h('main', null, decision, h(ToastRegion, null)))
}
const isOff = (name: string) => tab.button(name).getAttribute('aria-disabled') === 'true'
const focused = () => (document.activeElement as unknown as typeof tab.body).textContent

test('A version is approved without a word, and sent back or rejected only with one.', async () => {
  for (const verdict of ['approve', 'request-changes', 'reject']) tab.answers[decide(verdict)] = {}
  await open()
  expect(['Approve', 'Ask for changes', 'Reject'].map(isOff)).toEqual([false, true, true])
  await tab.type('Comment', ' ')
  expect(isOff('Reject')).toBe(true)
  await tab.type('Comment', 'Say why.')
  expect(isOff('Reject')).toBe(false)
  await tab.press('Reject')
  expect(tab.sent(decide('reject'))).toEqual([{ comment: 'Say why.' }])
  // What still waits is asked for again.
  expect(tab.sent('GET /user/review-requests')).toHaveLength(2)
  expect(tab.address).toBe('/reviews')
  expect(tab.text('.toasts')).toContain('Tides, version 1, is rejected.')
  await tab.press('Ask for changes')
  await tab.press('Approve')
  expect([tab.sent(decide('request-changes')).length, tab.sent(decide('approve')).length]).toEqual([1, 1])
})

test('A refusal is told, and the comment stays.', async () => {
  tab.answers[decide('approve')] = new Refusal(409, 'CONFLICT', undefined, 'It was withdrawn.')
  await open()
  await tab.type('Comment', 'Fine.')
  await tab.press('Approve')
  expect(tab.text()).toContain('Nothing was decided.It was withdrawn.')
  expect(tab.field('Comment').value).toBe('Fine.')
})

test('Letters lead to the buttons, and to the comment where a button asks for one.', async () => {
  await open()
  await tab.key('a', {}, tab.body)
  expect(focused()).toBe('Approve')
  await tab.key('c', {}, tab.body)
  expect(document.activeElement?.localName).toBe('textarea')
  await tab.type('Comment', 'Say why.')
  await tab.key('c', {}, tab.body)
  expect(focused()).toBe('Ask for changes')
  await tab.key('r', {}, tab.body)
  expect(focused()).toBe('Reject')
  await tab.key('a', { ctrlKey: true }, tab.body)
  await tab.key('a', {}, tab.field('Comment'))
  expect(focused()).toBe('Reject')
})

test('Letters lead to the next request that waits and to the one before.', async () => {
  await open()
  await tab.key('j', {}, tab.body)
  expect(tab.address).toBe('/reviews/7')
  await tab.key('k', {}, tab.body)
  expect(tab.address).toBe('/reviews/3')
  history.replaceState(null, '', '/portal/operator/reviews/5')
  await tab.key('x', {}, tab.body)
  expect(tab.address).toBe('/reviews/5')
  await open([5, 3])
  await tab.key('j', {}, tab.body)
  expect(tab.address).toBe('/reviews/5')
})

const replies = async () => {
  await tab.press('Replies')
  return tab.texts('[role=menu] button')
}

test('Comments are kept in this browser, the newest first, and used or forgotten.', async () => {
  tab.storage.set(REPLIES, JSON.stringify(['Old.', 5, 'Say why.']))
  await open()
  expect(await replies()).toEqual(['Old.', 'Say why.', 'Keep this commentWrite one first.'])
  await tab.press('Say why.')
  expect(tab.field('Comment').value).toBe('Say why.')
  await replies()
  await tab.press('Keep this comment')
  expect(JSON.parse(tab.storage.get(REPLIES)!)).toEqual(['Say why.', 'Old.'])
  expect(await replies()).toEqual(['Say why.', 'Old.', 'Keep this comment', 'Forget this comment'])
  await tab.press('Forget this comment')
  expect(JSON.parse(tab.storage.get(REPLIES)!)).toEqual(['Old.'])
})

test('Twenty comments are kept, and what cannot be read is none.', async () => {
  tab.storage.set(REPLIES, JSON.stringify(Array.from({ length: 20 }, (_, at) => `${at}`)))
  await open()
  await tab.type('Comment', ' new ')
  await replies()
  await tab.press('Keep this comment')
  const kept = JSON.parse(tab.storage.get(REPLIES)!)
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([20, 'new', '18'])
  for (const text of ['{', '{"a":1}']) {
    tab.storage.set(REPLIES, text)
    await open()
    expect(await replies()).toEqual(['Keep this commentWrite one first.'])
  }
})
