import { expect, test } from 'bun:test'
import { h } from 'preact'
import { useTab } from '../support/tab.ts'
import { later } from '../../static/app/later.tsx'

const tab = useTab()

test('Code that failed to load is loaded again only when somebody says so, and then shown at once.', async () => {
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
