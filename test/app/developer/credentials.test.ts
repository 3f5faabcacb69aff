import { expect, test } from 'bun:test'
import { AT, appAnswers, ROUTE } from '../../support/developer-app.ts'
import { Refusal, rowsOf, useTab } from '../../support/tab.ts'
import Credentials from '../../../static/app/developer/credentials.tsx'

const tab = useTab({ scope: '/portal/developer', project: null })
const MAKE = 'POST /user/developer/apps/app_1/secrets'
const secret = (id: string, more: object = {}) => ({
  ...{ id, hint: `x${id}`, created_on: AT, last_used_on: null, revoked_at: null },
  ...more,
})
async function open(secrets: object[] = [], app: object = {}) {
  Object.assign(tab.answers, appAnswers(app), { [`${ROUTE}/secrets`]: { secrets } })
  await tab.open(Credentials, '/apps/app_1/credentials', { id: 'app_1' })
}

test('Secrets that are in use can be revoked, and say when they were used last.', async () => {
  tab.answers['DELETE /user/developer/apps/app_1/secrets/2'] = {}
  await open([secret('1', { revoked_at: AT }), secret('2'), secret('3', { last_used_on: AT })])
  expect(rowsOf(tab, 'Secrets').map(([hint, state, , used]) => [hint, state, used === 'Never'])).toEqual([
    ['…x1', 'Revoked', true],
    ['…x2', 'In use', true],
    ['…x3', 'In use', false],
  ])
  expect(tab.names().filter((name) => name.startsWith('Revoke'))).toEqual([
    'Revoke… the secret that ends with x2',
    'Revoke… the secret that ends with x3',
  ])
  await tab.press('Revoke… the secret that ends with x3')
  expect(tab.text('dialog')).toContain('It was last used on')
  await tab.press('Not now')
  await tab.press('Revoke… the secret that ends with x2')
  expect(tab.text('dialog')).toContain('It was never used.')
  tab.answers[`${ROUTE}/secrets`] = { secrets: [secret('3')] }
  await tab.press('Revoke 1 secret')
  expect(tab.sent('DELETE /user/developer/apps/app_1/secrets/2')).toHaveLength(1)
  expect(rowsOf(tab, 'Secrets')).toHaveLength(1)
  expect(tab.body.querySelector('dialog')).toBeNull()
})

test('A new secret is shown once and stands in the list.', async () => {
  tab.answers[MAKE] = { client_secret: 's3cret' }
  await open()
  expect(tab.text()).toContain('It has no secret.')
  tab.answers[`${ROUTE}/secrets`] = { secrets: [secret('1')] }
  await tab.press('New secret')
  expect(tab.text('dialog')).toContain('s3cret')
  await tab.press('I have copied it')
  expect(tab.body.querySelector('dialog')).toBeNull()
  expect(rowsOf(tab, 'Secrets')).toHaveLength(1)
})

test('Why no secret was made is said, and a list that cannot be loaded is asked for again.', async () => {
  tab.answers[MAKE] = new Refusal(409, 'CONFLICT', undefined, 'Two are in use.')
  await open()
  await tab.press('New secret')
  expect(tab.text()).toContain('No secret was made.Two are in use.')
  Object.assign(tab.answers, { [`${ROUTE}/secrets`]: new Refusal(404, 'NOT_FOUND') })
  await tab.open(Credentials, '/apps/app_1/credentials', { id: 'app_1' })
  expect(tab.text()).toContain('Secrets could not be loaded.')
})

test('A public app has no secret.', async () => {
  await open([], { client_type: 'public' })
  expect(tab.text()).toContain('A public app has no secret.')
  expect(tab.sent(`${ROUTE}/secrets`)).toEqual([])
  expect(tab.texts('.code code')).toEqual(['cid_1'])
})
