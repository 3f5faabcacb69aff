import { expect, test } from 'bun:test'
import { Refusal, useTab, send } from '../../support/tab.ts'
import { signal } from '@preact/signals'
import { h } from 'preact'
import { useState } from 'preact/hooks'
import { AddressSearch } from '../../../static/app/ui/address-search.tsx'
import { Button, IconButton } from '../../../static/app/ui/button.tsx'
import { Checkbox, RadioCards, Switch } from '../../../static/app/ui/choice.tsx'
import { CopyButton } from '../../../static/app/ui/code.tsx'
import { ConfirmDialog } from '../../../static/app/ui/confirm-dialog.tsx'
import { DateTimeField } from '../../../static/app/ui/date-time-field.tsx'
import { Dialog, Drawer } from '../../../static/app/ui/dialog.tsx'
import { ErrorNote, errorOf, FlawSummary } from '../../../static/app/ui/error-note.tsx'
import { NumberField, Select, TextArea, TextField } from '../../../static/app/ui/field.tsx'
import { FormDialog } from '../../../static/app/ui/form-dialog.tsx'
import { Menu, type MenuItem } from '../../../static/app/ui/menu.tsx'
import { FormActions } from '../../../static/app/ui/page.tsx'
import { PasswordField } from '../../../static/app/ui/password-field.tsx'
import { Progress } from '../../../static/app/ui/progress.tsx'
import { SearchField } from '../../../static/app/ui/search-field.tsx'
import { Tabs } from '../../../static/app/ui/tabs.tsx'
import { toast, ToastRegion } from '../../../static/app/ui/toast.tsx'
import { read } from '../../../static/app/api/calls.ts'
import { inTime } from '../../support/visit.ts'

const tab = useTab()

const focused = () => (document.activeElement as unknown as { textContent: string }).textContent.trim()

test('A button that cannot be used does nothing, and says why.', async () => {
  let pressed = 0
  const onClick = () => void pressed++
  await tab.draw(
    h('div', null, [
      h(Button, { onClick, disabled_reason: 'Not yet.', children: 'A' }),
      h(Button, { onClick, busy: true, icon: 'plus', children: 'B' }),
      h(Button, { onClick, disabled: true, children: 'C' }),
      h(Button, { onClick, disabled: true, href: '/x', type: 'submit', children: 'D' }),
      h(Button, { onClick, children: 'E' }),
    ]),
  )
  for (const name of ['A', 'B', 'C', 'D', 'E']) await tab.press(name)
  expect([pressed, tab.text('.button-reason')]).toEqual([1, 'Not yet.'])
  const reason = tab.find('.button-reason').getAttribute('id')!
  expect(tab.button('A').getAttribute('aria-describedby')).toBe(reason)
  expect(tab.button('B').querySelector('.spinner')).not.toBeNull()
  expect([tab.button('B').getAttribute('aria-busy'), tab.button('E').getAttribute('aria-disabled')]).toEqual([
    'true',
    null,
  ])
  expect([tab.button('D').localName, tab.button('D').getAttribute('type')]).toEqual(['button', 'button'])
})

test('A button keeps the focus when it becomes of use, and when it no longer is.', async () => {
  function Form() {
    const [isChanged, setChanged] = useState(false)
    const save = h(Button, { disabled_reason: isChanged ? null : 'Nothing is changed.', children: 'Save' })
    return h('form', null, [h(Button, { onClick: () => setChanged(!isChanged), children: 'Type' }), save])
  }
  await tab.draw(h(Form, {}))
  const button = tab.button('Save')
  for (const reason of ['', 'Nothing is changed.']) {
    await tab.press('Type')
    // Another element would not have the focus.
    expect([tab.button('Save') === button, tab.texts('.button-reason').join('')]).toEqual([true, reason])
  }
})

test('A button with an address is a link.', async () => {
  await tab.draw(
    h('div', null, [
      h(Button, { href: '/x', main: true, children: 'A' }),
      h(IconButton, { icon: 'x', label: 'B', href: '/y' }),
    ]),
  )
  expect([tab.button('A').localName, tab.button('B').getAttribute('href')]).toEqual(['a', '/y'])
  expect(tab.button('A').hasAttribute('data-main-action')).toBe(true)
})

test('A button with a symbol that is switched off does nothing.', async () => {
  let pressed = 0
  const button = (disabled: boolean) =>
    h(IconButton, { icon: 'x', label: 'X', disabled, onClick: () => void pressed++ })
  await tab.draw(button(true))
  await tab.press('X')
  await tab.draw(button(false))
  await tab.press('X')
  expect(pressed).toBe(1)
})

test('A switch that is busy or off stays as it is.', async () => {
  const told: boolean[] = []
  const one = (more: object) =>
    h(Switch, { label: 'S', checked: false, onChange: (on: boolean) => void told.push(on), ...more })
  for (const more of [{ busy: true }, { disabled: true }, {}, { checked: true }]) {
    await tab.draw(one(more))
    await tab.check('S')
  }
  expect(told).toEqual([true, false])
})

test('A control names its hint and its flaw.', async () => {
  await tab.draw(
    h('div', null, [
      h(Checkbox, { label: 'C', checked: true, hint: 'Hint.', flaw: 'Flaw.', onChange() {} }),
      h(TextField, { label: 'T', value: 'x', hint: 'Hint.', flaw: 'Flaw.', before: 'https://', onInput() {} }),
      h(NumberField, { label: 'N', value: '1', step: 0.1, behind: 'days', onInput() {} }),
    ]),
  )
  for (const label of ['C', 'T']) {
    const field = tab.field(label)
    const described = field.getAttribute('aria-describedby')!.split(' ')
    expect(described.map((id) => tab.find(`[id="${id}"]`).textContent)).toEqual(['Hint.', 'Flaw.'])
    expect(field.getAttribute('aria-invalid')).toBe('true')
  }
  expect([tab.field('N').getAttribute('inputmode'), tab.field('N').getAttribute('aria-describedby')]).toEqual([
    'decimal',
    null,
  ])
  expect(tab.texts('.input-part')).toEqual(['https://', 'days'])
})

test('A label is hidden only where that is said, and what is needed says so.', async () => {
  const hidden = (label: string) =>
    tab
      .all('label')
      .find((one) => one.textContent.startsWith(label))!
      .getAttribute('class')!
      .includes('visually-hidden')
  await tab.draw(
    h('div', null, [
      h(TextField, { label: 'A', value: '', onInput() {}, optional: true }),
      h(TextField, { label: 'B', value: '', onInput() {}, label_hidden: true, required: true }),
      h(Select, { label: 'C', value: '', onInput() {}, options: [], required: true }),
      h(Checkbox, { label: 'D', checked: false, onChange() {}, label_hidden: true }),
    ]),
  )
  expect(['A', 'B', 'C', 'D'].map(hidden)).toEqual([false, true, false, true])
  expect(['A', 'B', 'C'].map((label) => tab.field(label).getAttribute('aria-required'))).toEqual([null, 'true', 'true'])
  expect(tab.texts('label')[0]).toBe('A optional')
})

test('Every kind of field says what is needed, and has what stands before and behind its value.', async () => {
  const field = { value: '', onInput() {} }
  await tab.draw(
    h('div', null, [
      h(TextField, { ...field, label: 'A', required: true, before: 'https://' }),
      h(NumberField, { ...field, label: 'B', required: true, behind: 'days' }),
      h(TextArea, { ...field, label: 'C', required: true }),
      h(TextField, { ...field, label: 'D', behind: 'px' }),
      h(NumberField, { ...field, label: 'E', step: 'any' }),
      h(TextArea, { ...field, label: 'F' }),
    ]),
  )
  const attributes = (name: string) => ['A', 'B', 'C', 'D', 'E', 'F'].map((one) => tab.field(one).getAttribute(name))
  expect(attributes('aria-required')).toEqual(['true', 'true', 'true', null, null, null])
  expect(attributes('inputmode')).toEqual([null, 'numeric', null, null, 'decimal', null])
  expect(tab.texts('.input-part')).toEqual(['https://', 'days', 'px'])
})

test('Half a number changes nothing, is named once the field is left, and is not submitted.', async () => {
  const told: string[] = []
  const field = h(NumberField, { label: 'N', value: '12', onInput: (text) => told.push(text) })
  const submit = () => void told.push('submitted')
  const shared = { title: 'T', verb: 'Save', busy: false, error: null, onClose() {} }
  await tab.draw(h(FormDialog, { ...shared, onSubmit: submit, children: field }))
  const input = tab.field('N') as unknown as HTMLInputElement
  Object.defineProperty(input, 'validity', { value: { badInput: true }, configurable: true })
  await tab.type('N', '')
  expect(tab.all('.field-flaw')).toHaveLength(0)
  input.dispatchEvent(new Event('blur'))
  await tab.settled()
  expect(tab.text('.field-flaw')).toBe('This is not a number.')
  await tab.press('Save')
  expect(told).toEqual([])
  Object.defineProperty(input, 'validity', { value: { badInput: false }, configurable: true })
  await tab.type('N', '5')
  await tab.press('Save')
  expect(told).toEqual(['5', 'submitted'])
})

test('One of a few is chosen, and one that cannot be says why.', async () => {
  const told: string[] = []
  await tab.draw(
    h(RadioCards<'a' | 'b'>, {
      legend: 'L',
      value: 'a',
      onChange: (value) => void told.push(value),
      options: [
        { value: 'a', label: 'A', hint: 'Hint.' },
        { value: 'b', label: 'B', hint: 'Hidden.', disabled_reason: 'Not now.' },
      ],
    }),
  )
  expect([tab.field('A').checked, tab.field('B').hasAttribute('disabled')]).toEqual([true, true])
  expect(tab.texts('.field-hint')).toEqual(['Hint.', 'Not now.'])
  const cards = () => tab.find('.radio-cards')
  expect(cards().getAttribute('aria-invalid')).toBeNull()
  await tab.check('B')
  expect(told).toEqual(['b'])
  await tab.draw(h(RadioCards<'a'>, { legend: 'L', value: '', onChange() {}, options: [], flaw: 'Choose one.' }))
  const flaw = document.getElementById(cards().getAttribute('aria-describedby')!)!
  expect([cards().getAttribute('aria-invalid'), flaw.textContent]).toEqual(['true', 'Choose one.'])
})

test('A list of choices has groups and an entry for none.', async () => {
  await tab.draw(
    h(Select, {
      label: 'S',
      value: 'b',
      placeholder: 'None',
      onInput() {},
      options: [
        { value: 'a', label: 'A', disabled: true },
        { group: 'G', options: [{ value: 'b', label: 'B' }] },
      ],
    }),
  )
  expect([tab.texts('option'), tab.field('S').value]).toEqual([['None', 'A', 'B'], 'b'])
  expect(tab.find('option[disabled]').textContent).toBe('A')
  expect(tab.find('optgroup').getAttribute('label')).toBe('G')
})

test('A secret is shown while one wants to see it.', async () => {
  await tab.draw(h(PasswordField, { label: 'P', value: 's', onInput() {} }))
  expect(tab.field('P').getAttribute('type')).toBe('password')
  await tab.press('Show what I typed')
  expect(tab.field('P').getAttribute('type')).toBe('text')
  await tab.press('Hide what I typed')
  expect(tab.field('P').getAttribute('type')).toBe('password')
})

const text = signal('')
const Search = () => h(SearchField, { label: 'S', value: text.value, onInput: (next) => (text.value = next) })

test('Escape and the cross empty a search, and Escape in an empty one goes on.', async () => {
  text.value = 'x'
  await tab.draw(h('div', null, h(Search, null)))
  expect(send(tab.field('S'), 'keydown', { key: 'Escape' })).toBe(false)
  await tab.settled()
  expect([text.value, tab.has('Clear')]).toEqual(['', false])
  expect(send(tab.field('S'), 'keydown', { key: 'Escape' })).toBe(true)
  await tab.type('S', 'y')
  await tab.press('Clear')
  expect([text.value, document.activeElement as unknown]).toEqual(['', tab.field('S')])
})

test('A search follows the address, and the address what was typed a moment ago.', async () => {
  await inTime(tab, async (pass) => {
    const address = signal('a')
    const told: string[] = []
    const onSearch = (next: string) => {
      told.push(next)
      address.value = next
    }
    const Address = () => h(AddressSearch, { label: 'S', value: address.value, onSearch })
    await tab.draw(h('div', null, h(Address, null)))
    await pass(250)
    await tab.type('S', 'b ')
    await pass(249)
    expect(told).toEqual([])
    await pass(1)
    expect([told, tab.field('S').value]).toEqual([['b'], 'b '])
    address.value = 'elsewhere'
    await tab.settled()
    expect(tab.field('S').value).toBe('elsewhere')
  })
})

const which = signal<'a' | 'b' | 'c'>('a')
const ThreeTabs = () =>
  h(Tabs<'a' | 'b' | 'c'>, {
    label: 'T',
    value: which.value,
    onChange: (next) => (which.value = next),
    tabs: [
      { id: 'a', label: 'A', count: 0 },
      { id: 'b', label: 'B', count: 1_204 },
      { id: 'c', label: 'C', count: null },
    ],
    children: 'Inside',
  })

test('Arrows go round the tabs, Home and End to their ends.', async () => {
  which.value = 'a'
  await tab.draw(h('div', null, h(ThreeTabs, null)))
  expect(tab.texts('[role=tab]')).toEqual(['A0', 'B1,204', 'C'])
  for (const [key, next] of [
    ['ArrowLeft', 'c'],
    ['ArrowRight', 'a'],
    ['End', 'c'],
    ['Home', 'a'],
    ['ArrowRight', 'b'],
    ['x', 'b'],
  ] as const) {
    await tab.key(key, {}, tab.find('[aria-selected=true]'))
    expect<string>(which.value).toBe(next)
  }
  expect(tab.find('[role=tabpanel]').getAttribute('aria-labelledby')).toBe(
    tab.find('[aria-selected=true]').getAttribute('id'),
  )
})

test('Tabs with addresses are links, which keys choose as well.', async () => {
  const chosen: string[] = []
  await tab.draw(
    h(Tabs<'a' | 'b'>, {
      ...{
        label: 'T',
        value: 'a',
        href: (of: 'a' | 'b') => `/portal/${of}`,
        onChange: (next: 'a' | 'b') => void chosen.push(next),
      },
      tabs: [
        { id: 'a', label: 'A' },
        { id: 'b', label: 'B' },
      ],
    }),
  )
  expect(tab.all('a[role=tab]').map((one) => one.getAttribute('href'))).toEqual(['/portal/a', '/portal/b'])
  await tab.key('ArrowRight', {}, tab.find('[aria-selected=true]'))
  expect(chosen).toEqual(['b'])
})

const done: string[] = []
const item = (label: string, more: Partial<MenuItem> = {}): MenuItem => ({
  label,
  onSelect: () => void done.push(label),
  ...more,
})
const ITEMS = [
  item('Alpha'),
  'line' as const,
  false as const,
  item('Beta', { disabled_reason: 'Not now.' }),
  item('Bravo', { href: '/x' }),
  item('Delta', { checked: true }),
]

test('Where tabs have no room, the chosen one is brought into sight.', async () => {
  const chosen = signal('a')
  const Two = () =>
    h(Tabs, {
      label: 'L',
      value: chosen.value,
      onChange: (id: string) => (chosen.value = id),
      tabs: ['a', 'b', 'c'].map((id) => ({ id, label: id })),
    })
  await tab.draw(h(Two, {}))
  const strip = tab.find('[role=tablist]')
  strip.getBoundingClientRect = () => new DOMRect(10, 0, 90, 20)
  tab.button('b').getBoundingClientRect = () => new DOMRect(110, 0, 50, 20)
  Object.defineProperties(strip, { clientWidth: { value: 90 }, scrollWidth: { value: 90, writable: true } })
  await tab.press('b')
  expect(strip.scrollLeft).toBe(0)
  await tab.press('a')
  Object.assign(strip, { scrollWidth: 91 })
  await tab.press('b')
  expect(strip.scrollLeft).toBe(70)
})

test('A form says beside its buttons whether it is saved, or what else there is to say.', async () => {
  const said = async (props: { changed?: boolean; note?: string }) => {
    await tab.draw(h(FormActions, { ...props, children: 'Save' }))
    return tab.text('[role=status]')
  }
  expect(await said({ changed: true })).toBe('Not saved yet')
  expect(await said({ changed: false })).toBe('Saved')
  expect([await said({}), await said({ changed: true, note: 'Wait' })]).toEqual(['', 'Wait'])
})

test('A menu is moved in by arrows, ends and first letters.', async () => {
  done.length = 0
  await tab.draw(h(Menu, { label: 'M', items: ITEMS }))
  await tab.press('M')
  expect(focused()).toBe('Alpha')
  for (const [key, name] of [
    ['ArrowDown', 'BetaNot now.'],
    ['ArrowUp', 'Alpha'],
    ['ArrowUp', 'Delta'],
    ['ArrowDown', 'Alpha'],
    ['End', 'Delta'],
    ['Home', 'Alpha'],
    ['b', 'BetaNot now.'],
    ['B', 'Bravo'],
    ['b', 'BetaNot now.'],
    ['d', 'Delta'],
  ] as const) {
    await tab.key(key)
    expect(focused()).toBe(name)
  }
  await tab.key('Escape')
  expect([tab.texts('.menu-item'), focused()]).toEqual([[], 'M'])
})

test('A menu opens by the arrows at its first or last entry.', async () => {
  await tab.draw(h(Menu, { label: 'M', items: ITEMS }))
  await tab.key('ArrowUp', {}, tab.button('M'))
  expect(focused()).toBe('Delta')
  await tab.key('Tab')
  await tab.key('ArrowDown', {}, tab.button('M'))
  expect(focused()).toBe('Alpha')
})

test('An entry does its work once the menu is closed, unless it cannot.', async () => {
  done.length = 0
  await tab.draw(h(Menu, { label: 'M', items: ITEMS }))
  await tab.press('M')
  await tab.press('Beta')
  expect([done, tab.texts('.menu-item').length]).toEqual([[], 4])
  expect(tab.button('Delta').getAttribute('role')).toBe('menuitemradio')
  await tab.press('Bravo')
  await tab.press('M')
  await tab.press('Alpha')
  expect([done, tab.texts('.menu-item')]).toEqual([['Bravo', 'Alpha'], []])
})

test('A dialog asks its owner to close it, and takes the focus to its first control.', async () => {
  let closed = 0
  const onClose = () => void closed++
  await tab.draw(
    h(Dialog, {
      title: 'D',
      onClose,
      children: [h(Button, { children: 'First' }), h('input', { autofocus: true, 'aria-label': 'I' })],
    }),
  )
  expect((document.activeElement as unknown as { localName: string }).localName).toBe('input')
  expect(send(tab.find('dialog'), 'cancel', {}, false)).toBe(false)
  send(tab.button('First'), 'cancel')
  send(tab.find('dialog'), 'click')
  await tab.press('Close')
  expect(closed).toBe(2)
  await tab.draw(h(Dialog, { title: 'D', onClose, children: h(Button, { children: 'First' }), alert: true }))
  expect([focused(), tab.find('dialog').getAttribute('role')]).toEqual(['First', 'alertdialog'])
  await tab.draw(h('div', null, h(Dialog, { title: 'D', open: false, onClose, children: 'x' })))
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('A dialog that stays is closed by its own buttons alone.', async () => {
  let closed = 0
  const onClose = () => void closed++
  const actions = h(Button, { onClick: onClose, children: 'I have stored it' })
  await tab.draw(h(Dialog, { title: 'D', onClose, stays: true, actions, children: 'secret' }))
  expect(send(tab.find('dialog'), 'cancel', {}, false)).toBe(false)
  expect(send(tab.find('dialog'), 'keydown', { key: 'Escape' })).toBe(false)
  expect([closed, tab.has('Close')]).toEqual([0, false])
  await tab.press('I have stored it')
  expect(closed).toBe(1)
})

test('A click beside a drawer closes it, one in it does not.', async () => {
  let closed = 0
  await tab.draw(h(Drawer, { title: 'D', onClose: () => void closed++, children: h(Button, { children: 'In' }) }))
  await tab.press('In')
  expect(closed).toBe(0)
  send(tab.find('dialog'), 'click')
  expect(closed).toBe(1)
})

test('A question stays with what went wrong, and closes once it is done.', async () => {
  let fails = true
  let closed = 0
  let give = () => {}
  const onConfirm = async () => {
    await new Promise<void>((resolve) => (give = resolve))
    if (fails) throw new Error('It broke.')
  }
  await tab.draw(h(ConfirmDialog, { title: 'Q?', verb: 'Do it', onConfirm, onClose: () => void closed++ }))
  expect(focused()).toBe('Not now')
  await tab.press('Do it')
  await tab.press('Close')
  expect([tab.button('Do it').getAttribute('aria-busy'), closed]).toEqual(['true', 0])
  give()
  await tab.settled()
  expect([tab.text('dialog').includes('It broke.'), closed]).toEqual([true, 0])
  fails = false
  await tab.press('Do it')
  give()
  await tab.settled()
  expect(closed).toBe(1)
})

test('A question that wants a word gets it first.', async () => {
  let confirmed = 0
  const onConfirm = () => void confirmed++
  await tab.draw(h(ConfirmDialog, { title: 'Q?', verb: 'Do it', typed: 'Harbour', onConfirm, onClose() {} }))
  await tab.press('Do it')
  expect([confirmed, tab.text('.button-reason')]).toEqual([0, 'Type Harbour first.'])
  await tab.type('Type Harbour to go on', ' Harbour')
  await tab.press('Do it')
  expect(confirmed).toBe(1)
  await tab.draw(
    h(ConfirmDialog, {
      title: 'Q?',
      verb: 'Do it',
      disabled_reason: 'Choose.',
      no: 'Keep it',
      onConfirm,
      onClose() {},
    }),
  )
  await tab.press('Do it')
  expect([confirmed, tab.has('Keep it')]).toEqual([1, true])
})

test('A form that lacks something is not sent.', async () => {
  let sent = 0
  const form = (missing: string | null) =>
    h(FormDialog, {
      title: 'F',
      verb: 'Send',
      busy: false,
      error: null,
      missing,
      onSubmit: () => void sent++,
      onClose() {},
      children: 'x',
    })
  await tab.draw(form('Name it.'))
  await tab.submit()
  expect(sent).toBe(0)
  await tab.draw(form(null))
  await tab.submit()
  expect(sent).toBe(1)
})

test('An error is told with what belongs to it.', async () => {
  const flaws = [
    { name: 'Rules 1', message: 'Is odd.' },
    { name: '', message: 'Is whole.' },
    { name: 'X', message: 'told' },
  ]
  const again = () => {}
  await tab.draw(
    h(ErrorNote, { title: 'T', error: { message: 'It was told.', flaws, request_id: 'req_1', show: again } }),
  )
  expect(tab.texts('li')).toEqual(['Rules 1: Is odd.', 'Is whole.'])
  expect([tab.has('Show it'), tab.has('Try again'), tab.text().includes('Request req_1')]).toEqual([true, false, true])
  await tab.draw(h('div', null, h(FlawSummary, { error: { message: 'M', again } })))
  expect([tab.text().startsWith('No answer yet.'), tab.has('Ask again')]).toEqual([true, true])
  await tab.draw(h('div', null, h(FlawSummary, { error: null })))
  expect(tab.body.querySelector('.flaw-summary')).toBeNull()
  expect([errorOf(new Error('E')).message, errorOf('x').message, errorOf(null).message]).toEqual([
    'E',
    'Something went wrong.',
    'Something went wrong.',
  ])
})

test('A refusal of a read is told with its request.', async () => {
  tab.answers['overview'] = new Refusal(403, 'FORBIDDEN', undefined, 'Not yours.')
  const error = await read('overview', {}).catch((thrown: unknown) => thrown)
  await tab.draw(h(ErrorNote, { error: errorOf(error) }))
  expect(tab.text()).toContain('Not yours.')
})

test('A message stays for ten seconds, and longer while somebody is at it.', async () => {
  await inTime(tab, async (pass) => {
    await tab.draw(h('div', null, h(ToastRegion, null)))
    for (const button of tab.all('.toast [aria-label=Dismiss]')) button.click()
    toast({ text: 'One', action: { label: 'Go', href: '/x' } })
    await tab.settled()
    await pass(9_999)
    expect(tab.texts('.toast-text')).toEqual(['One'])
    tab.button('Go').focus()
    await pass(1)
    expect(tab.texts('.toast-text')).toEqual(['One'])
    tab.button('Go').blur()
    await pass(2_000)
    expect(tab.texts('.toast-text')).toEqual([])
  })
})

test('Four messages are shown at most, and one that was acted on is gone.', async () => {
  await tab.draw(h('div', null, h(ToastRegion, null)))
  const ran: string[] = []
  const takeAway = toast({ text: '0' })
  for (const text of ['1', '2', '3', '4'])
    toast({ text, action: { label: `Do ${text}`, run: () => void ran.push(text) } })
  await tab.settled()
  expect(tab.texts('.toast-text')).toEqual(['1', '2', '3', '4'])
  takeAway()
  await tab.press('Do 2')
  expect([ran, tab.texts('.toast-text')]).toEqual([['2'], ['1', '3', '4']])
})

test('A text is copied, or it is said that it was not.', async () => {
  await inTime(tab, async (pass) => {
    const copied: string[] = []
    const give = (writeText: (text: string) => Promise<void>) =>
      Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    try {
      give(async (text) => void copied.push(text))
      await tab.draw(h(CopyButton, { text: async () => 'late', label: 'Copy' }))
      await tab.press('Copy')
      expect([copied, tab.text('[role=status]')]).toEqual([['late'], 'Copied'])
      await pass(2_000)
      expect(tab.text('[role=status]')).toBe('')
      give(() => Promise.reject(new Error('no')))
      await tab.press('Copy')
      expect(tab.text('[role=status]')).toBe('Could not copy')
    } finally {
      Reflect.deleteProperty(navigator, 'clipboard')
    }
  })
})

test('A bar is as long as its share, and never longer than the whole.', async () => {
  const now = async (props: object) => {
    await tab.draw(h(Progress, { label: 'P', ...props }))
    return [tab.find('[role=progressbar]').getAttribute('aria-valuenow'), tab.text('.progress-head')]
  }
  expect(await now({ value: 1, max: 4 })).toEqual(['25', 'P25%'])
  expect(await now({ value: 9, max: 4, note: 'Much' })).toEqual(['100', 'PMuch'])
  expect(await now({ value: -1, max: 4 })).toEqual(['0', 'P0%'])
  expect(await now({ value: 1, max: 0 })).toEqual(['0', 'P0%'])
  expect(await now({ value: null })).toEqual([null, 'P'])
})

const moment = signal<[string | null, string]>([null, 'UTC'])
const Time = () =>
  h(DateTimeField, {
    label: 'T',
    value: moment.value[0],
    zone: moment.value[1],
    onChange: (at, zone) => (moment.value = [at, zone]),
  })

test('A moment is written by the clock of a zone, which can be another.', async () => {
  moment.value = [null, 'Asia/Tokyo']
  await tab.draw(h('div', null, h(Time, null)))
  await tab.type('Date and time', '2026-05-03T21:00')
  expect(moment.value).toEqual(['2026-05-03T12:00:00.000Z', 'Asia/Tokyo'])
  send(tab.find('input'), 'blur', {}, false)
  await tab.settled()
  expect(tab.find<HTMLInputElement>('input').value).toBe('2026-05-03T21:00')
  expect(tab.text('.field')).toContain('3 May 2026, 12:00 where you are.')
  await tab.type('Time zone', 'UTC')
  expect(moment.value).toEqual(['2026-05-03T21:00:00.000Z', 'UTC'])
  expect(tab.text('.field')).not.toContain('where you are')
  await tab.type('Date and time', '')
  expect(moment.value).toEqual([null, 'UTC'])
  await tab.type('Time zone', 'Asia/Tokyo')
  expect(moment.value).toEqual([null, 'Asia/Tokyo'])
})

test('The zone of a moment and the own one stand before all others, each once.', async () => {
  const onChange = () => undefined
  const [min, max] = ['2026-05-03T12:00:00.000Z', '2026-06-01T00:00:00.000Z']
  await tab.draw(
    h(DateTimeField, { label: 'T', value: null, zone: 'America/New_York', onChange, min, max, flaw: 'No.' }),
  )
  const zones = tab.texts('option')
  expect([zones.slice(0, 2), new Set(zones).size]).toEqual([['America/New York', 'UTC'], zones.length])
  expect(zones).toContain('Asia/Tokyo')
  const field = tab.find('input')
  expect(['min', 'max', 'aria-invalid'].map((name) => field.getAttribute(name))).toEqual([
    ...['2026-05-03T08:00', '2026-05-31T20:00', 'true'],
  ])
  const notes = field.getAttribute('aria-describedby')!.split(' ')
  expect(document.getElementById(notes.at(-1)!)?.textContent).toBe('No.')
})
