import { expect, spyOn, test } from 'bun:test'
import { send, useTab } from '../../support/tab.ts'
import { h } from 'preact'
import { Opener, Popover, Tooltip } from '../../../static/app/ui/popover.tsx'

const tab = useTab()
const panel = () => tab.find('.popover')
const state = () => [tab.find('button').getAttribute('aria-expanded'), tab.text('.popover')]

test('A panel has content only while it is open, and its button says which.', async () => {
  await tab.draw(h(Popover, { label: 'More', children: 'Within' }))
  const button = tab.find('button')
  expect([button.getAttribute('aria-controls'), panel().getAttribute('aria-label')]).toEqual([panel().id, 'More'])
  expect(state()).toEqual(['false', ''])
  await tab.press('More')
  expect(state()).toEqual(['true', 'Within'])
  await tab.press('More')
  expect(state()).toEqual(['false', ''])
})

test('The content of a panel can close it.', async () => {
  const children = (close: () => void) => h('button', { onClick: close }, 'Done')
  await tab.draw(h(Popover, { label: 'More', children }))
  await tab.press('More')
  await tab.press('Done')
  expect(state()).toEqual(['false', ''])
  await tab.press('More')
  expect(state()).toEqual(['true', 'Done'])
})

test('A press on the button of an open panel, which the browser closes, does not open it again.', async () => {
  await tab.draw(h(Popover, { label: 'More', children: 'Within' }))
  const button = tab.find('button')
  send(button, 'pointerdown')
  await tab.press('More')
  expect(state()).toEqual(['true', 'Within'])
  send(button, 'pointerdown')
  panel().hidePopover()
  await tab.press('More')
  expect(state()).toEqual(['false', ''])
  await tab.press('More')
  expect(state()).toEqual(['true', 'Within'])
})

test('A panel that is gone listens to nothing any more.', async () => {
  await tab.draw(h(Popover, { label: 'More', children: 'Within' }))
  const removed = [panel(), tab.find('button')].map((element) => spyOn(element, 'removeEventListener'))
  await tab.draw(h('p', null))
  expect(removed.map((spy) => spy.mock.calls.map(([type]) => type).filter((type) => !/click/i.test(type)))).toEqual([
    ['beforetoggle'],
    ['pointerdown'],
  ])
})

test('A button that opens is an icon, the content of its owner, or its label.', async () => {
  const props = { label: 'More', kind: 'primary', open: true, controls: 'p1', onClick() {} } as const
  const seen = async (more: object) => {
    await tab.draw(h(Opener, { ...props, ...more }))
    const { attributes } = tab.find('button')
    const told = ['aria-label', 'aria-haspopup', 'aria-expanded', 'aria-controls', 'data-main-action', 'type']
    return [tab.text(), ...told.map((name) => attributes.getNamedItem(name)?.value ?? null)]
  }
  expect(await seen({})).toEqual(['More', null, null, 'true', 'p1', null, 'button'])
  expect(await seen({ menu: true, main: true })).toEqual(['More', null, 'menu', 'true', 'p1', '', 'button'])
  expect(await seen({ trigger: ' 7', open: false })).toEqual(['More 7', null, null, 'false', 'p1', null, 'button'])
  expect((await seen({ icon: 'x', menu: true })).slice(0, 5)).toEqual(['', 'More', 'menu', 'true', 'p1'])
})

test('A tooltip is there for the pointer and for the focus, until they leave or Escape is pressed.', async () => {
  await tab.draw(h(Tooltip, { text: 'Words', children: 'About' }))
  const tip = tab.find('.tooltip')
  expect(tab.find('.tooltip-about').getAttribute('aria-describedby')).toBe(tip.id)
  const [show, hide] = [spyOn(tip, 'showPopover'), spyOn(tip, 'hidePopover')]
  const after = (type: string, properties: object = {}) => {
    send(tab.find('.tooltip-about'), type, { ...properties })
    return [tip.matches(':popover-open'), show.mock.calls.length, hide.mock.calls.length]
  }
  const enter = () => (send(tab.find('.anchor'), 'pointerenter'), tip.matches(':popover-open'))
  expect([enter(), enter(), show.mock.calls.length]).toEqual([true, true, 1])
  expect(after('keydown', { key: 'Enter' })).toEqual([true, 1, 0])
  expect(after('keydown', { key: 'Escape' })).toEqual([false, 1, 1])
  expect(after('keydown', { key: 'Escape' })).toEqual([false, 1, 1])
  expect(after('focusin')).toEqual([true, 2, 1])
  expect(after('focusout')).toEqual([false, 2, 2])
  enter()
  send(tab.find('.anchor'), 'pointerleave')
  expect(tip.matches(':popover-open')).toBe(false)
})
