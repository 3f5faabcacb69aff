import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import type { AccountMessage } from '../../src/accounts/messages.ts'
import { addressOfSignUp, fillSignUpMessage, requestSignUp, signUp } from '../../src/accounts/sign-up.ts'
import { DAY_MS, FixedClock } from '../../src/clock.ts'
import { configOf, type Config } from '../../src/config.ts'
import { newId } from '../../src/ids.ts'
import type { LoopContext } from '../../src/runtime.ts'
import { account_messages, invitations, sign_ups } from '../../src/store/tables/accounts.ts'
import { app_invitations } from '../../src/store/tables/developer.ts'
import { queuedFor, queuedToken, senderAt } from '../support/queued-mail.ts'
import { newApp, newProject, newUser, NOW, sharedStore, write } from '../support/shared-store.ts'

const BROWSER = { address: '192.0.2.1', user_agent: 'Desk', replaces: null, device: null }

/** What a request has, at a time after NOW. It notes what it counts and wakes. */
async function visit(after_ms = 0, sign_up: Config['sign_up'] = 'open') {
  const [counted, woken]: [string[], string[]] = [[], []]
  const limiter = {
    take: async (bucket: string) => {
      counted.push(bucket.split(':').slice(0, 2).join(':'))
      return { allowed: true }
    },
  }
  const context = {
    ...{ ...senderAt(after_ms), store: await sharedStore(), config: configOf({ sign_up }) },
    ...{ clock: new FixedClock(NOW + after_ms), address: BROWSER.address, limiter },
    wake: (loop: string) => woken.push(loop),
  } as unknown as Parameters<typeof requestSignUp>[0] & LoopContext
  return { context, counted, woken }
}

/** Asks for a link, and writes the message. Answers whether one is sent. */
async function ask(email: string, after_ms = 0, sign_up: Config['sign_up'] = 'open'): Promise<boolean> {
  const { context } = await visit(after_ms, sign_up)
  await requestSignUp(context, email)
  const rows = await context.store.db
    .select()
    .from(account_messages)
    .where(eq(account_messages.recipient, email.trim()))
  return (await fillSignUpMessage(context, rows.at(-1) as AccountMessage)) !== null
}

test('A sign-up is counted by address and account, and its link works for a day.', async () => {
  const { context, counted, woken } = await visit()
  await expect(requestSignUp(context, 'nobody')).rejects.toMatchObject({ details: [{ path: '/email' }] })
  expect([counted, woken]).toEqual([[], []])
  await requestSignUp(context, ' counted@sign-up.example ')
  expect([counted, woken]).toEqual([['sign-up:address', 'sign-up:account'], ['mail']])
  const closed = (await visit(0, 'closed')).context
  await expect(requestSignUp(closed, 'new@sign-up.example')).rejects.toMatchObject({ code: 'FORBIDDEN' })

  expect(await ask('day@sign-up.example', 5)).toBe(true)
  const token = await queuedToken('day@sign-up.example')
  const at = { db: context.store.db, config: context.config }
  expect(await addressOfSignUp(at, token, NOW + 4 + DAY_MS)).toBe('day@sign-up.example')
  expect([await addressOfSignUp(at, token, NOW + 5 + DAY_MS), await addressOfSignUp(at, 'x', NOW)]).toEqual([
    null,
    null,
  ])
})

test('A link makes one account, which is signed in, and ends the other links of the address.', async () => {
  await ask('Twice@sign-up.example')
  const first = await queuedToken('Twice@sign-up.example')
  await ask('twice@sign-up.example')
  const second = await queuedToken('twice@sign-up.example')
  await ask('bystander@sign-up.example')
  const { context, counted, woken } = await visit(9)
  const use = (token: string, password = 'olive trees at dawn') =>
    signUp(context, { token, password, first_name: ' Tess ' }, BROWSER)
  await expect(use(first, 'short')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  const { user, session } = await use(first)
  expect(user).toMatchObject({ email: 'Twice@sign-up.example', first_name: 'Tess', confirmed_at: NOW + 9 })
  expect(session.token).toStartWith('svc_ss_')
  expect([new Set(counted), woken]).toEqual([new Set(['sign-up:address']), ['mail']])
  for (const token of [first, second]) await expect(use(token)).rejects.toMatchObject({ code: 'NOT_FOUND' })
  const { db } = context.store
  expect(await db.$count(sign_ups, eq(sign_ups.email_key, 'twice@sign-up.example'))).toBe(0)
  expect(await db.$count(sign_ups, eq(sign_ups.email_key, 'bystander@sign-up.example'))).toBe(1)
})

test('A link is of no use once the address has an account, or nobody may make one.', async () => {
  await ask('late@sign-up.example')
  const token = await queuedToken('late@sign-up.example')
  const use = async (sign_up: Config['sign_up']) =>
    signUp((await visit(0, sign_up)).context, { token, password: 'olive trees at dawn' }, BROWSER)
  await expect(use('closed')).rejects.toMatchObject({ code: 'FORBIDDEN' })
  await newUser({ email: 'late@sign-up.example' })
  await expect(use('open')).rejects.toMatchObject({ code: 'CONFLICT' })
})

test('An account is told by its own spelling, with no link that makes another.', async () => {
  await newUser({ email: 'known@sign-up.example' })
  await ask('Known@sign-up.example', 0, 'invited')
  const [message] = await queuedFor('known@sign-up.example')
  expect([message!.subject, message!.text.includes('token=')]).toEqual(['You have an account already', false])
  expect(await queuedFor('Known@sign-up.example')).toEqual([])
})

test('For the invited, a link is sent while a project or a team waits for the address.', async () => {
  const invited_by = await newUser()
  const times = { created_at: NOW, expires_at: NOW + 100 }
  const of = (name: string) => ({
    ...{ id: newId('inv'), email: `${name}@sign-up.example`, email_key: `${name}@sign-up.example` },
    ...{ token_hash: `hash of ${name}`, invited_by, ...times },
  })
  const [project_id, app] = [await newProject(), await newApp(invited_by)]
  await write(async (tx) => {
    await tx.insert(invitations).values({ ...of('to-project'), project_id, role: 'editor' })
    await tx.insert(app_invitations).values({ ...of('to-team'), app_id: app.id })
  })
  const asked = async (after_ms: number) => {
    const sent = []
    for (const name of ['to-project', 'to-team', 'stranger'])
      sent.push(await ask(`${name}@sign-up.example`, after_ms, 'invited'))
    return sent
  }
  expect(await asked(99)).toEqual([true, true, false])
  expect(await asked(100)).toEqual([false, false, false])
  expect(await queuedFor('stranger@sign-up.example')).toEqual([])
})

test('A mailbox gets five links a day, whatever tag follows its name.', async () => {
  const sent = []
  for (let count = 0; count < 6; count++) sent.push(await ask(`many+${count}@sign-up.example`, count))
  expect(sent).toEqual([true, true, true, true, true, false])
  expect(await ask('many@sign-up.example', DAY_MS)).toBe(true)
})

test('Of requests that wait together, the first five get a link.', async () => {
  const { context } = await visit()
  const email = 'waiting@sign-up.example'
  for (let request = 0; request < 7; request++) await requestSignUp(context, email)
  const rows = await context.store.db.select().from(account_messages).where(eq(account_messages.recipient, email))
  expect(new Set(rows.map(({ expires_at }) => expires_at))).toEqual(new Set([NOW + DAY_MS]))
  const sent: boolean[] = []
  for (const row of rows) sent.push((await fillSignUpMessage(context, row)) !== null)
  expect(sent).toEqual([true, true, true, true, true, false, false])
})
