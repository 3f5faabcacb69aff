import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { newId, type ProjectId } from '../../../src/ids.ts'
import {
  createSignUpForm,
  deleteSignUpForm,
  findSignUpForm,
  formToJoin,
  listSignUpForms,
  openLists,
  SignUpFormFields,
  updateSignUpForm,
} from '../../../src/newsletter/consent/sign-up-forms.ts'
import { checker, obj } from '../../../src/schema.ts'
import { custom_fields } from '../../../src/store/tables/audience.ts'
import { sign_up_forms } from '../../../src/store/tables/sign-up-forms.ts'
import { newList, newProject, NOW, sharedStore, write } from '../../support/shared-store.ts'

type Input = Parameters<typeof createSignUpForm>[2]
const create = (project: ProjectId, list_ids: number[], more: Partial<Input> = {}, now = NOW) => {
  const input = { name: 'Footer', title: 'Weekly', consent_text: 'Yes.', list_ids, ...more }
  return write((tx) => createSignUpForm(tx, project, input, now))
}
const update = (project_id: ProjectId, form_id: string, changes: Partial<Input>, now = NOW) =>
  write((tx) => updateSignUpForm(tx, { project_id, form_id }, changes, now))
const flaw = (...paths: string[]) => ({
  code: 'VALIDATION_FAILED',
  details: paths.map((path) => expect.objectContaining({ path })),
})

test('A form has its first wording and empty texts, and is found by its id.', async () => {
  const project = await newProject()
  const list_ids = [await newList(project)]
  const form = await create(project, list_ids, { fields: [{ field: 'first_name', required: true }] })
  expect(form).toEqual({
    ...{ id: expect.stringMatching(/^frm_/), project_id: project, name: 'Footer', title: 'Weekly', text: '' },
    ...{ wordings: ['Yes.'], list_ids, fields: [{ field: 'first_name', label: '', required: true }], button: '' },
    ...{ thanks_text: '', redirect_url: '', created_at: NOW, updated_at: NOW },
  })
  const { db } = await sharedStore()
  expect([await findSignUpForm(db, form.id), await findSignUpForm(db, newId('frm'))]).toEqual([form, null])
})

test('Another wording is added to the earlier ones, and the same one is not.', async () => {
  const project = await newProject()
  const { id } = await create(project, [await newList(project)])
  const wordings = async (consent_text: string) => (await update(project, id, { consent_text })).wordings
  expect(await wordings('Yes.')).toEqual(['Yes.'])
  expect(await wordings('Sure.')).toEqual(['Yes.', 'Sure.'])
  expect(await wordings('Yes.')).toEqual(['Yes.', 'Sure.', 'Yes.'])
  const many = Array.from({ length: 49 }, (_, number) => `Wording ${number}`)
  await write((tx) => tx.run(sql`UPDATE sign_up_forms SET wordings = ${JSON.stringify(many)} WHERE id = ${id}`))
  expect(await wordings('The fiftieth.')).toHaveLength(50)
  await expect(update(project, id, { consent_text: 'One more.' })).rejects.toMatchObject({ code: 'INVALID_STATE' })
  expect((await update(project, id, { title: 'New' })).title).toBe('New')
})

test('An update changes what it names and moves the time of the last change on.', async () => {
  const project = await newProject()
  const { id, ...before } = await create(project, [await newList(project)], { fields: [{ field: 'last_name' }] })
  expect(await update(project, id, { title: ' New ' })).toEqual({ id, ...before, title: 'New', updated_at: NOW + 1 })
  expect(await update(project, id, { name: ' Own ' })).toMatchObject({ name: 'Own', title: 'New' })
  expect(await update(project, id, { fields: [] }, NOW + 9)).toMatchObject({ fields: [], updated_at: NOW + 9 })
})

test('Each list and field that a form cannot have is named, also of an update.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [list, foreign] = [await newList(project), await newList(other)]
  const archived = await newList(project, { archived_at: NOW })
  const custom = { key: 'town', label: 'Town', type: 'text' as const, created_at: NOW, updated_at: NOW }
  await write((tx) => tx.insert(custom_fields).values({ ...custom, project_id: project }))
  const fields = ['first_name', 'custom.town', 'custom.none', 'first_name', 'custom.town'].map((field) => ({ field }))
  const lists = [list, archived, foreign]
  const paths = ['/list_ids/1', '/list_ids/2', '/fields/2/field', '/fields/3/field', '/fields/4/field']
  await expect(create(project, lists, { fields })).rejects.toMatchObject(flaw(...paths))
  const { id } = await create(project, [list], { fields: fields.slice(0, 2) })
  await expect(update(project, id, { list_ids: lists, fields })).rejects.toMatchObject(flaw(...paths))
})

test('People can join those lists of a form that are not archived, in the order of the form.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [a, b, foreign] = [await newList(project), await newList(project), await newList(other)]
  const archived = await newList(project, { archived_at: NOW })
  const list_ids = [b, archived, foreign, a]
  expect(await openLists((await sharedStore()).db, { project_id: project, list_ids })).toEqual([b, a])
})

test('The form to join a list is the oldest of the project that has it.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const [a, b, c] = [await newList(project), await newList(project), await newList(project)]
  const late = await create(project, [a, b], { title: 'Late' }, NOW + 9)
  const first = await update(project, (await create(project, [b])).id, { title: 'First' }, NOW + 99)
  const second = await create(project, [b], { title: 'Second' })
  const { db } = await sharedStore()
  const { id, title } = first
  expect(await formToJoin(db, project, [c, b])).toEqual({ id, title })
  expect(await formToJoin(db, project, [a])).toEqual({ id: late.id, title: 'Late' })
  expect([await formToJoin(db, project, [c]), await formToJoin(db, other, [b])]).toEqual([null, null])
  expect(await listSignUpForms(db, project)).toEqual([first, second, late])
  expect(await listSignUpForms(db, other)).toEqual([])
})

test('A form belongs to its project alone, and a deleted one is gone.', async () => {
  const [project, other] = [await newProject(), await newProject()]
  const { id } = await create(project, [await newList(project)])
  const missing = { code: 'NOT_FOUND', details: [{ path: '/form_id' }] }
  await expect(update(other, id, { title: 'x' })).rejects.toMatchObject(missing)
  await expect(write((tx) => deleteSignUpForm(tx, other, id))).rejects.toMatchObject(missing)
  await write((tx) => deleteSignUpForm(tx, project, id))
  expect(await listSignUpForms((await sharedStore()).db, project)).toEqual([])
})

test('The parts of a form are bounded, and it leads to a web address or nowhere.', () => {
  const least = { name: 'x', title: 'x', consent_text: 'x', list_ids: [1] }
  const fits = (more: object) => checker(obj(SignUpFormFields)).Check({ ...least, ...more })
  for (const [name, most] of [
    ['name', 100],
    ['title', 200],
    ['text', 2000],
    ['consent_text', 4000],
    ['button', 60],
    ['thanks_text', 1000],
  ] as const)
    expect([name, fits({ [name]: 'x'.repeat(most) }), fits({ [name]: 'x'.repeat(most + 1) })]).toEqual([
      ...[name, true, false],
    ])
  const ids = Array.from({ length: 21 }, (_, at) => at + 1)
  expect([[], [1, 1], ids, ids.slice(1)].map((list_ids) => fits({ list_ids }))).toEqual([false, false, false, true])
  const fields = (count: number, field = 'first_name') => ({ fields: Array.from({ length: count }, () => ({ field })) })
  expect([fits(fields(20)), fits(fields(21)), fits(fields(1, 'custom.a_1')), fits(fields(1, 'email'))]).toEqual([
    ...[true, false, true, false],
  ])
  const address = (redirect_url: string) => fits({ redirect_url })
  for (const url of ['', 'https://x.example', 'http://x.example:8080/a?b#c', 'https://x.example?q=@'])
    expect([url, address(url)]).toEqual([url, true])
  for (const url of ['x.example', 'ftp://x.example', 'https://', 'https://a@x.example', 'https://x.example/a b'])
    expect([url, address(url)]).toEqual([url, false])
  expect([address(`https://x.example/${'a'.repeat(1982)}`), address(`https://x.example/${'a'.repeat(1983)}`)]).toEqual([
    ...[true, false],
  ])
})

test('A project has at most 200 forms.', async () => {
  const project = await newProject()
  const list_ids = [await newList(project)]
  const form = await create(project, list_ids)
  const more = Array.from({ length: 198 }, () => ({ ...form, id: newId('frm') }))
  await write((tx) => tx.insert(sign_up_forms).values(more))
  await create(project, list_ids)
  await expect(create(project, list_ids)).rejects.toMatchObject({ code: 'INVALID_STATE' })
})
