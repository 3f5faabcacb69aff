import { expect, mock, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../support/tab.ts'
import { isUnreachable } from '../../static/app/api/conditions.ts'
import { later } from '../../static/app/later.tsx'
import { useReturn } from '../../static/app/api/returns.ts'

const tab = useTab()

test('Code that failed to load is loaded again when somebody says so, and then shown at once.', async () => {
  const loads: { come(): void; fail(): void }[] = []
  const Part = ({ name }: { name: string }) => h('p', null, `Part ${name}`)
  const Later = later<{ name: string }>(
    () =>
      new Promise((resolve, reject) => loads.push({ come: () => resolve(Part), fail: () => reject(new Error('no')) })),
    h('p', null, 'Waiting'),
  )
  await tab.draw(h(Later, { name: 'a' }))
  expect([tab.text(), loads.length]).toEqual(['Waiting', 1])
  loads[0]!.fail()
  await tab.settled()
  expect([tab.texts('.callout'), loads.length]).toEqual([['A part of the page could not be loaded.Try again'], 1])
  await tab.press('Try again')
  expect([tab.text(), loads.length]).toEqual(['Waiting', 2])
  loads[1]!.come()
  await tab.settled()
  expect([tab.text(), loads.length]).toEqual(['Part a', 2])
  await tab.draw(h(Later, { name: 'b' }))
  expect([tab.text(), loads.length]).toEqual(['Part b', 2])
})

test('A part that failed while the service was away is tried again once it is back.', async () => {
  let loads = 0
  const Later = later(async () => {
    loads += 1
    if (loads <= 2) throw new Error('no')
    return () => h('p', null, 'Part')
  })
  const retried = mock()
  function Parts({ failed }: { failed: boolean }) {
    useReturn(failed, retried)
    return h(Later, {})
  }
  tab.atEnd(() => (isUnreachable.value = false))
  await tab.draw(h('div', null, h(Parts, { failed: true }), h(Parts, { failed: false })))
  await tab.act(() => void (isUnreachable.value = true))
  expect([loads, retried.mock.calls.length]).toEqual([2, 0])
  await tab.act(() => void (isUnreachable.value = false))
  expect([loads, retried.mock.calls.length, tab.texts('p')]).toEqual([4, 1, ['Part', 'Part']])
})
