import { expect, test } from 'bun:test'
import type { ProjectId } from '../../../src/ids.ts'
import { throughForm } from '../../../src/newsletter/consent/sign-up-by-form.ts'
import { createSignUpForm, updateSignUpForm } from '../../../src/newsletter/consent/sign-up-forms.ts'
import { custom_fields, lists } from '../../../src/store/tables/audience.ts'
import { eq } from 'drizzle-orm'
import { newList, newProject, NOW, write } from '../../support/shared-store.ts'

const EMAIL = 'ada@example.com'
const flaw = (...paths: string[]) => ({
  code: 'VALIDATION_FAILED',
  details: paths.map((path) => expect.objectContaining({ path })),
})

/** A form with two wordings and a list, and a way to fill it in. */
async function formed(fields: Parameters<typeof createSignUpForm>[2]['fields'] = []) {
  const project = await newProject()
  const list = await newList(project)
  const field = { label: '', type: 'text' as const, created_at: NOW, updated_at: NOW, project_id: project }
  await write((tx) =>
    tx.insert(custom_fields).values([
      { ...field, key: 'town' },
      { ...field, key: 'age' },
    ]),
  )
  const input = { name: 'Footer', title: 'Weekly', consent_text: 'First.', list_ids: [list], fields }
  const more = { thanks_text: 'Thanks!', redirect_url: 'https://x.example' }
  const { id } = await write((tx) => createSignUpForm(tx, project, { ...input, ...more }, NOW))
  await write((tx) => updateSignUpForm(tx, { project_id: project, form_id: id }, { consent_text: 'Second.' }, NOW))
  const fill = (given: Partial<Parameters<typeof throughForm>[2]> = {}, of: ProjectId = project) =>
    write((tx) => throughForm(tx, of, { email: EMAIL, form_id: id, form_version: undefined, ...given }))
  return { id, list, fill }
}

test('A form gives its lists, the wording that was shown, and what comes afterwards.', async () => {
  const { id, list, fill } = await formed()
  const by = { name: 'signup', reverses: 'nothing', asks: true, by_stranger: true } as const
  const filled = (text: string, version: number) => ({
    ...{ email: EMAIL, list_ids: [list], consent_text: text },
    by: { ...by, evidence: `sign-up form "Footer" (${id}, wording ${version})` },
    after: { text: 'Thanks!', redirect_url: 'https://x.example' },
  })
  expect(await fill()).toEqual(filled('Second.', 2))
  expect(await fill({ form_version: 1 })).toEqual(filled('First.', 1))
  expect(await fill({ form_version: 2 })).toEqual(filled('Second.', 2))
})

test('A field that the form decides is refused from the person, and so is an unknown wording or form.', async () => {
  const { list, fill } = await formed()
  await expect(fill({ list_ids: [list] })).rejects.toMatchObject(flaw('/list_ids'))
  await expect(fill({ consent_text: 'Mine.' })).rejects.toMatchObject(flaw('/consent_text'))
  for (const form_version of [3, 99]) await expect(fill({ form_version })).rejects.toMatchObject(flaw('/form_version'))
  await expect(fill({ form_id: 'frm_none' })).rejects.toMatchObject(flaw('/form_id'))
  await expect(fill({}, await newProject())).rejects.toMatchObject(flaw('/form_id'))
  await write((tx) => tx.update(lists).set({ archived_at: NOW }).where(eq(lists.id, list)))
  await expect(fill()).rejects.toMatchObject(flaw('/form_id'))
})

test('Only what the form asks is taken, and each required answer that is missing is named.', async () => {
  const { fill } = await formed([
    { field: 'first_name', required: true },
    { field: 'last_name' },
    { field: 'custom.town', required: true },
    { field: 'custom.age' },
  ])
  await expect(fill()).rejects.toMatchObject({
    details: ['/first_name', '/custom_fields/town'].map((path) => ({ path, message: 'Required.' })),
  })
  await expect(fill({ first_name: ' ', custom_fields: { town: '' } })).rejects.toMatchObject(
    flaw('/first_name', '/custom_fields/town'),
  )
  const {
    first_name,
    last_name,
    custom_fields: custom,
  } = await fill({
    ...{ first_name: ' Ada ', last_name: ' ', custom_fields: { town: 'Kiel', shoe: 7 } },
  })
  expect([first_name, last_name, custom]).toEqual(['Ada', undefined, { town: 'Kiel' }])
  const all = await fill({ first_name: 'Ada', last_name: 'Lind', custom_fields: { town: 'Kiel', age: 0 } })
  expect([all.last_name, all.custom_fields]).toEqual(['Lind', { town: 'Kiel', age: 0 }])
  const { fill: fillShort } = await formed([{ field: 'custom.age' }])
  expect(await fillShort({ first_name: 'Ada' })).not.toHaveProperty('first_name')
  expect(await fillShort({})).not.toHaveProperty('custom_fields')
})
