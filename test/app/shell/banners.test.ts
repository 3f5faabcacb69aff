import { expect, test } from 'bun:test'
import { useTab } from '../../support/tab.ts'
import { h } from 'preact'
import * as conditions from '../../../static/app/api/conditions.ts'
import { Banners } from '../../../static/app/shell/banners.tsx'
import { inTime } from '../../support/visit.ts'

const tab = useTab()
const banners = () => tab.texts('.banner')

test('A pause is counted down by the second, to one, and to the end in words.', async () => {
  await inTime(tab, async (pass) => {
    conditions.pausedUntil.value = Date.now() + 2_500
    tab.atEnd(() => (conditions.pausedUntil.value = null))
    await tab.draw(h(Banners, {}))
    const seconds = () => tab.text('.banner [aria-hidden]')
    expect([seconds(), tab.text('.banner .visually-hidden')]).toEqual(['3 s.', 'a moment.'])
    await pass(999)
    expect(seconds()).toBe('3 s.')
    await pass(1)
    expect(seconds()).toBe('2 s.')
    await pass(3_000)
    expect(seconds()).toBe('1 s.')
    conditions.pausedUntil.value = Date.now() + 7_000
    await pass(1_000)
    expect(seconds()).toBe('6 s.')
  })
})

test('One bar is shown at a time, the one that explains the others.', async () => {
  const { isOnline, isUnreachable, isOutdated, pausedUntil } = conditions
  tab.atEnd(() => {
    isUnreachable.value = isOutdated.value = false
    isOnline.value = true
    pausedUntil.value = null
  })
  await tab.draw(h(Banners, {}))
  expect([banners(), tab.find('.banners').getAttribute('aria-live')]).toEqual([[], 'polite'])
  const begins = async () => {
    await tab.settled()
    return banners().map((text) => text.split(' ').slice(0, 3).join(' '))
  }
  isUnreachable.value = isOutdated.value = true
  isOnline.value = false
  pausedUntil.value = Date.now()
  expect(await begins()).toEqual(['You are offline.'])
  isOnline.value = true
  expect(await begins()).toEqual(['Masthead does not'])
  isUnreachable.value = false
  expect(await begins()).toEqual(['Many people work'])
  pausedUntil.value = null
  expect(await begins()).toEqual(['Masthead was updated.'])
})
