import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../../../support/tab.ts'
import { useOneTab } from '../../../../static/app/site/report/one-tab.ts'

const tab = useTab()

function First({ name }: { name: string }) {
  return h('p', null, useOneTab(name) ? 'first' : 'another')
}

test('One tab at a time is the first, until it leaves or looks at something else.', async () => {
  const asked: { name: string; signal: AbortSignal; grant(): Promise<void>; isLeft: boolean }[] = []
  const request = (name: string, { signal }: { signal: AbortSignal }, run: () => Promise<void>) => {
    const one = { name, signal, grant: () => run().then(() => void (one.isLeft = true)), isLeft: false }
    asked.push(one)
    return new Promise(() => undefined)
  }
  Object.defineProperty(navigator, 'locks', { value: { request }, configurable: true })
  await tab.draw(h(First, { name: 'campaign 5' }))
  expect([asked[0]!.name, tab.text()]).toEqual(['masthead campaign 5', 'another'])
  void asked[0]!.grant()
  await tab.settled()
  expect([tab.text(), asked[0]!.isLeft]).toEqual(['first', false])
  await tab.redraw(h(First, { name: 'campaign 6' }))
  expect([asked[0]!.isLeft, asked[0]!.signal.aborted, asked[1]!.name]).toEqual([true, true, 'masthead campaign 6'])
  expect(asked[1]!.signal.aborted).toBe(false)
  await tab.draw(h('p', null))
  expect([asked.length, asked[1]!.signal.aborted]).toEqual([2, true])
})
