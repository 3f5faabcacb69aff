import { createHash } from 'node:crypto'
import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { ProjectId } from '../../src/ids.ts'
import { CODE_LIFE_MS, exchangeCode, issueCode } from '../../src/oauth/codes.ts'
import { findAuthorization } from '../../src/oauth/connected.ts'
import { tokenHash } from '../../src/secrets.ts'
import { members, users } from '../../src/store/tables/accounts.ts'
import { access_tokens, apps } from '../../src/store/tables/apps.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const BACK = 'https://lamp.example/back'
const VERIFIER = 'v'.repeat(43)
const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

async function scene() {
  const project_id: ProjectId = await newProject()
  const user_id = await newUser({}, [project_id, 'owner'])
  const app = await newApp(await newUser())
  const issue = (code_challenge: string | null = null) => {
    const approval = { app_id: app.id, user_id, redirect_uri: BACK, project_ids: [project_id], code_challenge }
    return write((tx) => issueCode(tx, { ...approval, scopes: ['profile', 'newsletter:read'] }, NOW))
  }
  const exchange = (
    code: string,
    { code_verifier = null, redirect_uri = BACK, after_ms = 0, by = app }: Exchange & { by?: typeof app } = {},
  ) => write((tx) => exchangeCode(tx, by, { code, redirect_uri, code_verifier, ttl_seconds: 90 }, NOW + after_ms))
  const refusal = async (...given: Parameters<typeof exchange>) => {
    const outcome = await exchange(...given)
    return 'refusal' in outcome ? [outcome.refusal.error, outcome.refusal.description.slice(0, 30)] : null
  }
  return { project_id, user_id, app, issue, exchange, refusal }
}
interface Exchange {
  code_verifier?: string | null
  redirect_uri?: string
  after_ms?: number
}

test('A code gives tokens for what was approved, within a minute.', async () => {
  const { user_id, issue, exchange, refusal } = await scene()
  const late = await issue()
  expect(await refusal(late, { after_ms: CODE_LIFE_MS })).toEqual(['invalid_grant', 'The code has expired.'])
  const outcome = await exchange(late, { after_ms: CODE_LIFE_MS - 1 })
  if ('refusal' in outcome) throw outcome.refusal
  const { answer, grant } = outcome
  expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 90, scope: 'profile newsletter:read' })
  expect(grant.user_id).toBe(user_id)
  const { db } = await sharedStore()
  const [token] = await db
    .select()
    .from(access_tokens)
    .where(eq(access_tokens.token_hash, tokenHash(answer.access_token)))
  const at = NOW + CODE_LIFE_MS - 1
  expect(token).toMatchObject({ authorization_id: grant.authorization_id, created_at: at, expires_at: at + 90_000 })
})

test('A code is bound to its app, its address and its challenge, and a wrong proof uses nothing up.', async () => {
  const { app, issue, refusal } = await scene()
  const rival = await newApp(app.user_id)
  const [code, bound] = [await issue(), await issue(challengeOf(VERIFIER))]
  const unknown = ['invalid_grant', 'The code is unknown or belongs']
  expect([await refusal('svc_ac_x'), await refusal(code, { by: rival })]).toEqual([unknown, unknown])
  expect((await refusal(code, { redirect_uri: `${BACK}/` }))?.[1]).toBe('The redirect_uri is not the on')
  const wrong = ['invalid_grant', 'The code_verifier does not bel']
  expect(await refusal(code, { code_verifier: VERIFIER })).toEqual(wrong)
  for (const code_verifier of [null, challengeOf(VERIFIER), VERIFIER.slice(1), `${VERIFIER}v`, ''])
    expect(await refusal(bound, { code_verifier })).toEqual(wrong)
  // RFC 7636, 4.1: a verifier has 43 to 128 characters, whatever the challenge was made of.
  for (const code_verifier of ['short', 'v'.repeat(129), `${'v'.repeat(43)} `])
    expect(await refusal(await issue(challengeOf(code_verifier)), { code_verifier })).toEqual(wrong)
  expect(await refusal(await issue(challengeOf('v'.repeat(128))), { code_verifier: 'v'.repeat(128) })).toBeNull()
  expect([await refusal(code), await refusal(bound, { code_verifier: VERIFIER })]).toEqual([null, null])
})

test('A second use ends what the first one gave, however late, and only with the proof.', async () => {
  const { issue, exchange, refusal } = await scene()
  const code = await issue(challengeOf(VERIFIER))
  const first = await exchange(code, { code_verifier: VERIFIER })
  const { authorization_id } = 'grant' in first ? first.grant : { authorization_id: '' }
  const { db } = await sharedStore()
  await refusal(code, { code_verifier: 'w'.repeat(43) })
  expect(await findAuthorization(db, authorization_id)).not.toBeNull()
  const second = await exchange(code, { code_verifier: VERIFIER, after_ms: 400 * 24 * 3_600_000 })
  expect(second).toMatchObject({ ended: authorization_id })
  expect(await findAuthorization(db, authorization_id)).toBeNull()
})

test('A code is of no use once its address was removed, its user disabled or its projects are gone.', async () => {
  const { project_id, user_id, app, issue, refusal } = await scene()
  const code = await issue()
  const uris = (redirect_uris: string[]) =>
    write((tx) => tx.update(apps).set({ redirect_uris }).where(eq(apps.id, app.id)))
  await uris([])
  expect((await refusal(code))?.[1]).toBe('The app has removed the redire')
  await uris([BACK])
  const disable = (disabled_at: number | null) =>
    write((tx) => tx.update(users).set({ disabled_at }).where(eq(users.id, user_id)))
  await disable(NOW)
  expect((await refusal(code))?.[1]).toBe('The code is unknown or belongs')
  await disable(null)
  await write((tx) => tx.delete(members).where(eq(members.project_id, project_id)))
  expect((await refusal(code))?.[1]).toBe('The user has no access to the ')
  await write((tx) => tx.insert(members).values({ project_id, user_id, role: 'owner', added_at: NOW }))
  expect(await refusal(code)).toBeNull()
})
