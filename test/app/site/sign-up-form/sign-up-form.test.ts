import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../../support/tab.ts'
import type { Role } from '../../../../src/shared/roles.ts'
import type { SignUpForm } from '../../../../static/app/api/operations.d.ts'
import { field, list, page } from '../../../support/answers.ts'
import { type Answers, asked, change, visit } from '../../../support/visit.ts'

const tab = useTab()

const form = (more: Partial<SignUpForm> = {}): SignUpForm => ({
  ...{ id: 'frm_1', name: 'Front page', title: 'Weekly', text: 'News.', consent_text: 'Yes.', version: 2 },
  ...{ list_ids: [1], fields: [], button: '', thanks_text: '', redirect_url: '', url: 'https://a.example/f/1' },
  ...{ embed_html: '<form></form>', created_on: '', last_update: '' },
  ...more,
})

interface Opened {
  role?: Role
  at?: string
  lists?: ReturnType<typeof list>[]
  answers?: Answers
}

async function open(forms: SignUpForm[], { role = 'owner', at = '', lists, answers = {} }: Opened = {}) {
  await visit(
    tab,
    `/lists/1/form${at}`,
    {
      'lists/list': page(...(lists ?? [list(1, 'Weekly', { description: 'Each Monday.' }), list(2, 'Daily')])),
      'custom-fields/list': page(field('city', 'City')),
      'POST /project/sign-up-forms/list': { forms },
      'POST /project/sign-up-forms/create': { form: form({ id: 'frm_9' }) },
      'POST /project/sign-up-forms/update': { form: form() },
      'POST /project/sign-up-forms/delete': {},
      ...answers,
    },
    role,
  )
}

test('A list without a form begins with one of its words.', async () => {
  await open([form({ list_ids: [2] })])
  expect(tab.text('main')).toContain('When the form is made, its page and the HTML for your site stand here.')
  expect(await change(tab, 'POST /project/sign-up-forms/create', () => tab.press('Make the form'))).toEqual({
    busy: ['Make the form'],
    again: ['/project/sign-up-forms/list'],
  })
  expect(asked(tab, 'POST /project/sign-up-forms/create')).toEqual([
    {
      ...{ name: 'Weekly', title: 'Weekly', text: 'Each Monday.', list_ids: [1], fields: [] },
      ...{ consent_text: 'Yes, send me “Weekly” from Harbour. I can leave at any time.' },
      ...{ button: '', thanks_text: '', redirect_url: '' },
    },
  ])
  expect(tab.text('.toasts')).toContain('The form is there.')
  expect(tab.address).toBe('/lists/1/form?form=frm_9')
})

test('A form is changed as it is, with what it asks besides.', async () => {
  await open([form({ fields: [{ field: 'last_name', label: 'Surname', required: false }] })])
  expect(tab.text('main')).toContain('This is wording 2;')
  expect([tab.field('Last name').checked, tab.field('City').checked]).toEqual([true, false])
  await tab.type('Heading', 'Weekly letter')
  await tab.check('City')
  await tab.type('Label of City', 'Where?')
  await tab.check('required')
  await tab.check('First name')
  await tab.check('First name', false)
  await tab.choose('Lists that people join', 'Daily')
  expect(await change(tab, 'POST /project/sign-up-forms/update', () => tab.press('Save'))).toEqual({
    busy: ['Save'],
    again: ['/project/sign-up-forms/list'],
  })
  expect(asked(tab, 'POST /project/sign-up-forms/update')).toEqual([
    {
      ...{ form_id: 'frm_1', name: 'Front page', title: 'Weekly letter', text: 'News.', consent_text: 'Yes.' },
      ...{ list_ids: [1, 2], button: '', thanks_text: '', redirect_url: '' },
      fields: [
        { field: 'last_name', label: 'Surname', required: true },
        { field: 'custom.city', label: 'Where?', required: false },
      ],
    },
  ])
  expect(tab.text('.toasts')).toContain('Paste the HTML again')
})

test('Archived lists are offered only where a form joins them already.', async () => {
  const lists = [list(1, 'Weekly'), list(2, 'Old', { archived: true }), list(3, 'Gone', { archived: true })]
  await open([form({ list_ids: [1, 3] })], { lists })
  await tab.key('ArrowDown', {}, tab.field('Lists that people join'))
  expect(tab.texts('[role=option]')).toEqual(['Weekly', 'Gone'])
})

test('A flaw of a form stands beside its fields.', async () => {
  const names = ['title', 'text', 'consent_text', 'list_ids', 'button', 'thanks_text', 'redirect_url', 'name']
  const flaws = names.map((name) => ({ path: `/${name}`, message: name }))
  await open([form()], { answers: { 'POST /project/sign-up-forms/update': new Refusal(400, 'X', flaws) } })
  await tab.press('Save')
  expect(tab.texts('.field-flaw')).toEqual(names)
})

test('A form is shared by its page and its HTML.', async () => {
  await open([form()], { role: 'member' })
  expect(tab.has('Save')).toBe(false)
  expect(tab.text('main')).toContain('Changing forms takes an editor')
  expect(tab.text('main')).toContain('It needs no script and sets no cookie.')
  expect(tab.text('pre')).toBe('<form></form>')
  expect(tab.button('https://a.example/f/1').getAttribute('href')).toBe('https://a.example/f/1')
  await open([form({ embed_html: '<form></form><script src="x"></script>' })])
  expect(tab.text('main')).toContain('Its script solves the task that keeps robots out.')
})

test('The HTML is copied, or it is said that it was not.', async () => {
  const copied: string[] = []
  const give = (writeText: (text: string) => Promise<void>) =>
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  try {
    give(async (text) => void copied.push(text))
    await open([form()])
    await tab.press('Copy the HTML')
    expect([copied, tab.text('.toasts').includes('The HTML is copied.')]).toEqual([['<form></form>'], true])
    give(() => Promise.reject(new Error('no')))
    await tab.press('Copy the HTML')
    expect(tab.text('.toasts')).toContain('did not let the text be copied')
  } finally {
    Reflect.deleteProperty(navigator, 'clipboard')
  }
})

const tabs = () => tab.texts('[role=tab]')

test('Several forms of a list are chosen by the address.', async () => {
  const two = [form(), form({ id: 'frm_2', name: 'Footer', title: 'Second' })]
  await open(two)
  expect([tabs(), tab.field('Heading').value]).toEqual([['Front page', 'Footer'], 'Weekly'])
  await tab.press('Footer')
  expect([tab.address, tab.field('Heading').value]).toEqual(['/lists/1/form?form=frm_2', 'Second'])
  await tab.press('Another form')
  expect([tab.address, tabs()]).toEqual(['/lists/1/form?form=new', ['Front page', 'Footer', 'New form']])
  expect(tab.has('Another form')).toBe(false)
})

test('One form has no tabs until another is made.', async () => {
  await open([form()])
  expect(tabs()).toEqual([])
  await open([form()], { at: '?form=new' })
  expect(tabs()).toEqual(['Front page', 'New form'])
})

test('A form is deleted after a question, and its page left.', async () => {
  await open([form()], { at: '?form=frm_1' })
  await tab.press('Delete…')
  expect(await change(tab, 'POST /project/sign-up-forms/delete', () => tab.press('Delete 1 form'))).toEqual({
    busy: ['Delete 1 form'],
    again: ['/project/sign-up-forms/list'],
  })
  expect([asked(tab, 'POST /project/sign-up-forms/delete'), tab.address]).toEqual([
    [{ form_id: 'frm_1' }],
    '/lists/1/form',
  ])
})

test('An archived list cannot be joined, and a member sees that there is no form.', async () => {
  await open([], { lists: [list(1, 'Weekly', { archived: true })], role: 'member' })
  expect(tab.text('main')).toContain('This list is archived: nobody can join it')
  expect(tab.text('main')).toContain('There is no form for this list yet.')
})

test('A list that is not there is told apart from forms that could not be loaded.', async () => {
  await open([], { lists: [list(2, 'Daily')] })
  expect(tab.text('main')).toContain('There is no such list.')
  await open([], { answers: { 'POST /project/sign-up-forms/list': new Refusal(403, 'FORBIDDEN') } })
  expect(tab.text('main')).toContain('The form could not be loaded.')
  await tab.press('Try again')
  expect([tab.sent('lists/list').length, tab.sent('POST /project/sign-up-forms/list').length]).toEqual([3, 3])
})
