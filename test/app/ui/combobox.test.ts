import { expect, test } from 'bun:test'
import { useTab, send } from '../../support/tab.ts'
import { signal } from '@preact/signals'
import { h } from 'preact'
import {
  Combobox,
  type ComboboxProps,
  MultiCombobox,
  type MultiComboboxProps,
} from '../../../static/app/ui/combobox.tsx'
import type { Option } from '../../../static/app/ui/combobox-options.ts'
import { inTime } from '../../support/visit.ts'

const tab = useTab()

const FRUITS: Option[] = [
  { value: '1', label: 'Äpple', hint: 'red' },
  { value: '2', label: 'Banana' },
  { value: '3', label: 'Cherry', hint: 'red', disabled: true },
]
const value = signal<string | null>(null)
const values = signal<string[]>([])

async function one(more: Partial<ComboboxProps> = {}, first: string | null = null) {
  value.value = first
  const One = () =>
    h(Combobox, {
      label: 'Fruit',
      options: FRUITS,
      value: value.value,
      onChange: (next) => (value.value = next),
      ...more,
    })
  await tab.draw(h('div', null, h(One, null)))
}
async function many(more: Partial<MultiComboboxProps> = {}, first: string[] = []) {
  values.value = first
  const Many = () =>
    h(MultiCombobox, {
      label: 'Fruits',
      options: FRUITS,
      value: values.value,
      onChange: (next) => (values.value = next),
      ...more,
    })
  await tab.draw(h('div', null, h(Many, null)))
}

const options = () => tab.texts('[role=option]')
const active = () => tab.find('input').getAttribute('aria-activedescendant')?.split('-').at(-1)
const key = (name: string, more = {}) => tab.key(name, more, tab.find('input'))

test('Options are found by their words and hints, without capitals and accents.', async () => {
  await one()
  expect(options()).toEqual([])
  await tab.type('Fruit', ' aPP ')
  expect(options()).toEqual(['Äpplered'])
  await tab.type('Fruit', 'RED')
  expect(options()).toEqual(['Äpplered', 'Cherryred'])
  await tab.type('Fruit', 'zzz')
  expect([options(), tab.text('.option-note')]).toEqual([[], 'Nothing matches.'])
})

test('Arrows go round, Enter takes, and Escape closes without taking.', async () => {
  await one()
  await key('ArrowDown')
  expect([options().length, active()]).toEqual([3, undefined])
  await key('ArrowDown')
  expect(active()).toBe('0')
  await key('ArrowUp')
  expect(active()).toBe('2')
  await key('ArrowDown')
  await key('ArrowDown')
  expect(active()).toBe('1')
  await key('Enter')
  expect([value.value, options(), tab.field('Fruit').value]).toEqual(['2', [], 'Banana'])
  await tab.type('Fruit', 'Ä')
  await key('Escape')
  expect([value.value, options(), tab.field('Fruit').value]).toEqual(['2', [], 'Banana'])
})

test('The first arrow up is on the last option.', async () => {
  await one()
  await key('ArrowUp')
  await key('ArrowUp')
  expect(active()).toBe('2')
})

test('The typed text is on the first option that fits, and Enter without a list sends the form.', async () => {
  await one()
  await tab.type('Fruit', 'b')
  expect(active()).toBe('0')
  await key('Enter', { isComposing: true })
  expect(value.value).toBeNull()
  await key('Enter')
  expect(value.value).toBe('2')
  expect(send(tab.find('input'), 'keydown', { key: 'Enter' })).toBe(true)
})

test('An option that cannot be taken is not.', async () => {
  await one()
  await tab.type('Fruit', 'cherry')
  await key('Enter')
  expect(value.value).toBeNull()
})

test('Leaving the field drops what was typed.', async () => {
  await one({}, '2')
  await tab.type('Fruit', 'Ä')
  await tab.leave('Fruit')
  expect([tab.field('Fruit').value, options()]).toEqual(['Banana', []])
})

test('Keys of the list do nothing else in the page, and other keys do.', async () => {
  await one({}, '2')
  const left = async (key: string) => {
    const isLeft = send(tab.field('Fruit'), 'keydown', { key, isComposing: false })
    await tab.settled()
    return isLeft
  }
  expect([await left('Enter'), await left('x'), await left('ArrowDown')]).toEqual([true, true, false])
  expect([await left('ArrowUp'), await left('Escape'), await left('Escape')]).toEqual([false, false, true])
})

test('A choice can be taken back where that is allowed.', async () => {
  await one({ clearable: true }, '2')
  await tab.press('Clear Fruit')
  expect([value.value, tab.has('Clear Fruit')]).toEqual([null, false])
  expect(document.activeElement as unknown).toBe(tab.field('Fruit'))
  await one({}, '2')
  expect(tab.has('Clear Fruit')).toBe(false)
})

test('A value that the options do not hold is shown by what is known of it.', async () => {
  await one({ chosen: { value: '9', label: 'Fig' } }, '9')
  expect(tab.field('Fruit').value).toBe('Fig')
  await one({}, '9')
  expect(tab.field('Fruit').value).toBe('9')
})

test('An option that is not there yet can be made, and is chosen then.', async () => {
  const made: string[] = []
  const create = async (text: string) => (made.push(text), { value: 'new', label: text })
  await one({ create })
  await tab.type('Fruit', ' Fig ')
  expect(options()).toEqual(['Create “Fig”'])
  await key('Enter')
  expect([made, value.value, tab.field('Fruit').value]).toEqual([['Fig'], 'new', 'Fig'])
  await tab.type('Fruit', 'äPPLE')
  expect(options()).toEqual(['Äpplered'])
  await tab.type('Fruit', '  ')
  expect(options()).toHaveLength(3)
})

test('The first arrow after typing stays on what fits, rather than go on to making another.', async () => {
  await one({ create: () => null })
  await tab.type('Fruit', 'ban')
  await key('ArrowDown')
  expect(active()).toBe('0')
  await key('ArrowDown')
  expect(active()).toBe('new')
})

test('A hundred options are shown at most.', async () => {
  await one({ options: Array.from({ length: 101 }, (_, at) => ({ value: String(at), label: `No ${at}` })) })
  await key('ArrowDown')
  expect([options().length, tab.text('.option-note')]).toEqual([100, 'The first 100 of 101. Type to narrow them.'])
})

test('Options are searched for a moment after typing, and the last search counts.', async () => {
  await inTime(tab, async (pass) => {
    const asked: string[] = []
    const gives: ((found: Option[]) => void)[] = []
    const load = (text: string) => (asked.push(text), new Promise<Option[]>((resolve) => gives.push(resolve)))
    await one({ options: undefined, load, create: () => null })
    await pass(1_000)
    expect(asked).toEqual([])
    await tab.type('Fruit', 'b')
    await pass(199)
    expect([asked, tab.text('.option-note')]).toEqual([[], 'Loading…'])
    await pass(1)
    await tab.type('Fruit', 'ba')
    await pass(200)
    expect(asked).toEqual(['b', 'ba'])
    gives[1]!([FRUITS[1]!])
    await tab.settled()
    gives[0]!([FRUITS[0]!])
    await tab.settled()
    expect(options()).toEqual(['Banana', 'Create “ba”'])
  })
})

test('A search that failed says so, and the next one may do.', async () => {
  await inTime(tab, async (pass) => {
    let fails = true
    const load = async () => {
      if (fails) throw new Error('no')
      return [FRUITS[1]!]
    }
    await one({ options: undefined, load })
    await tab.type('Fruit', 'b')
    await pass(200)
    expect(tab.text('.option-note')).toBe('The list could not be loaded.')
    fails = false
    await tab.type('Fruit', 'ba')
    await pass(200)
    expect([options(), tab.text().includes('could not be loaded')]).toEqual([['Banana'], false])
  })
})

test('Several are chosen, each a chip; a choice closes the list, and a second one takes its chip away.', async () => {
  await many({}, ['1'])
  await tab.choose('Fruits', 'Banana')
  expect([values.value, tab.texts('.chip'), tab.texts('[role=status]').at(-1)]).toEqual([
    ['1', '2'],
    ['Äpple', 'Banana'],
    'Banana added',
  ])
  expect(tab.find('[role=combobox]').getAttribute('aria-expanded')).toBe('false')
  await tab.act(() => tab.field('Fruits').click())
  const chosen = tab.all('[role=option]').map((option) => option.getAttribute('aria-selected'))
  expect(chosen).toEqual(['true', 'true', 'false'])
  await tab.press('Äpplered')
  expect([values.value, tab.texts('[role=status]').at(-1)]).toEqual([['2'], 'Äpple removed'])
})

test('Backspace in the empty field takes the last one away.', async () => {
  await many({}, ['1', '2'])
  await tab.type('Fruits', 'x')
  await key('Backspace')
  expect(values.value).toEqual(['1', '2'])
  await tab.type('Fruits', '')
  await key('Backspace')
  expect(values.value).toEqual(['1'])
})

test('A field that is switched off gives nothing away.', async () => {
  await many({ disabled: true, placeholder: 'Choose' }, ['1', '7'])
  expect([tab.has('Remove Äpple'), tab.texts('.chip'), tab.find('input').getAttribute('placeholder')]).toEqual([
    false,
    ['Äpple', '7'],
    null,
  ])
  await many({ placeholder: 'Choose' })
  expect(tab.find('input').getAttribute('placeholder')).toBe('Choose')
})

test('Several can be made.', async () => {
  await many({ create: async (text) => ({ value: `new ${text}`, label: text }) })
  await tab.type('Fruits', 'Fig')
  await tab.press('Create “Fig”')
  expect([values.value, tab.texts('.chip'), tab.field('Fruits').value]).toEqual([['new Fig'], ['Fig'], ''])
})

test('An option that cannot be made says why at the field and keeps its text, until that changes.', async () => {
  const create = () => Promise.reject(new Error('There are 500 tags already.'))
  await one({ create })
  await tab.type('Fruit', 'Fig')
  await tab.press('Create “Fig”')
  expect([tab.texts('.field-flaw'), tab.field('Fruit').value]).toEqual([['There are 500 tags already.'], 'Fig'])
  await tab.type('Fruit', 'Figs')
  expect(tab.texts('.field-flaw')).toEqual([])
  await many({ create })
  await tab.type('Fruits', 'Fig')
  await tab.press('Create “Fig”')
  expect([tab.texts('.field-flaw'), tab.field('Fruits').value]).toEqual([['There are 500 tags already.'], 'Fig'])
  await tab.type('Fruits', 'Figs')
  expect(tab.texts('.field-flaw')).toEqual([])
})
