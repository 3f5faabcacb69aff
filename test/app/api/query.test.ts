import { expect, test } from 'bun:test'
import { Refusal, useTab } from '../../support/tab.ts'
import { signal } from '@preact/signals'
import { h } from 'preact'
import { type Action, useAction, useMutation } from '../../../static/app/api/action.ts'
import { callKey } from '../../../src/shared/app-document.ts'
import { ApiError } from '../../../static/app/api/errors.ts'
import { invalidate, keepAnswer, type Query, useRead } from '../../../static/app/api/query.ts'
import { useEvery } from '../../../static/app/rules/every.ts'
import { list } from '../../support/answers.ts'
import { inTime } from '../../support/visit.ts'

const tab = useTab()

let query: Query<unknown>
interface AskedProps {
  id?: number
  enabled?: boolean
  every_ms?: number | null
}
function Asks({ id = 1, ...options }: AskedProps) {
  query = useRead('contacts/get', { contact_id: id }, options)
  return h('p', null, JSON.stringify(query.data ?? null), query.error?.code ?? '', query.busy ? ' busy' : '')
}
const draw = (props: AskedProps = {}) => tab.draw(h('div', null, h(Asks, props)))
const asks = () => tab.sent('contacts/get').length

test('The same call of two parts is made once, and both get its answer.', async () => {
  tab.answers['contacts/get'] = { n: 1 }
  await tab.draw(h('div', null, h(Asks, null), h(Asks, null), h(Asks, { id: 2 })))
  expect([asks(), tab.texts('p')]).toEqual([2, ['{"n":1}', '{"n":1}', '{"n":1}']])
})

test('A call has one name, whatever the order of what it asks.', () => {
  expect(callKey('x', { b: 1, a: { d: 1, c: [2, 1] } })).toBe(callKey('x', { a: { c: [2, 1], d: 1 }, b: 1 }))
  expect(callKey('x', { a: [1, 2] })).not.toBe(callKey('x', { a: [2, 1] }))
})

test('Nothing is asked before it is wanted.', async () => {
  tab.answers['contacts/get'] = { n: 1 }
  await draw({ enabled: false })
  expect([asks(), query.busy, query.data]).toEqual([0, false, undefined])
})

test('A first answer is waited for, and a refusal is told.', async () => {
  let give = (_: unknown) => {}
  tab.answers['contacts/get'] = () => new Promise((resolve) => (give = resolve))
  await draw()
  expect([query.busy, query.data]).toEqual([true, undefined])
  give(new Refusal(403, 'FORBIDDEN'))
  await tab.settled()
  expect([query.busy, query.error?.code]).toEqual([false, 'FORBIDDEN'])
})

test('An older answer stays while the next one comes, and with its refusal.', async () => {
  tab.answers['contacts/get'] = { n: 1 }
  await draw()
  tab.answers['contacts/get'] = new Refusal(403, 'FORBIDDEN')
  query.reload()
  expect([query.data, query.busy]).toEqual([{ n: 1 }, false])
  await tab.settled()
  expect([query.data, query.error?.code]).toEqual([{ n: 1 }, 'FORBIDDEN'])
  tab.answers['contacts/get'] = { n: 2 }
  query.reload()
  await tab.settled()
  expect([query.data, query.error]).toEqual([{ n: 2 }, null])
})

test('The last call wins.', async () => {
  const gives: ((answer: unknown) => void)[] = []
  tab.answers['contacts/get'] = () => new Promise((resolve) => gives.push(resolve))
  await draw()
  query.reload()
  await tab.settled()
  gives[1]!({ n: 2 })
  await tab.settled()
  gives[0]!({ n: 1 })
  await tab.settled()
  expect([query.data, query.busy]).toEqual([{ n: 2 }, false])
})

function Pages({ shown, id }: { shown: boolean; id: number }) {
  return shown ? h(Asks, { id }) : null
}

test('An answer of the last five seconds is shown without asking, an older one is asked for behind it.', async () => {
  const shown = signal(true)
  const Shown = () => h(Pages, { shown: shown.value, id: 1 })
  await inTime(tab, async (pass) => {
    tab.answers['contacts/get'] = { n: 1 }
    await tab.draw(h('div', null, h(Shown, null)))
    const again = async (ms: number) => {
      shown.value = false
      await tab.settled()
      await pass(ms)
      shown.value = true
      await tab.settled()
      return asks()
    }
    expect(await again(4_900)).toBe(1)
    // The state that a change answers lacks parts, so it makes nothing younger.
    keepAnswer(callKey('contacts/get', { contact_id: 1 }), (kept) => kept)
    expect(await again(101)).toBe(2)
  })
})

test('A query that a change makes untrue is asked again where it is shown, else when it is shown next.', async () => {
  tab.answers['contacts/get'] = { n: 1 }
  await draw()
  invalidate('campaigns/')
  await tab.settled()
  expect(asks()).toBe(1)
  invalidate('campaigns/', 'contacts/')
  await tab.settled()
  expect(asks()).toBe(2)
})

test('An answer that a change gave is kept in the place of the read one.', async () => {
  tab.answers['contacts/get'] = { n: 1 }
  await draw()
  keepAnswer(callKey('contacts/get', { contact_id: 1 }), (kept) => ({ kept }))
  await tab.settled()
  expect([query.data, asks()]).toEqual([{ kept: { n: 1 } }, 1])
})

test('A shown call is made again and again while the tab is seen, and once more when that ends.', async () => {
  const every = signal<number | null>(1_000)
  const Every = () => h(Asks, { every_ms: every.value })
  await inTime(tab, async (pass) => {
    tab.answers['contacts/get'] = { n: 1 }
    await tab.draw(h('div', null, h(Every, null)))
    await pass(1_000)
    await pass(1_000)
    expect(asks()).toBe(3)
    Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
    await pass(1_000)
    expect(asks()).toBe(3)
    Object.defineProperty(document, 'visibilityState', { value: 'visible', configurable: true })
    every.value = null
    await tab.settled()
    expect(asks()).toBe(4)
    await pass(10_000)
    expect(asks()).toBe(4)
  })
})

test('A shown answer that could not be had is asked for again by itself.', async () => {
  await inTime(tab, async (pass) => {
    tab.answers['contacts/get'] = () => Promise.reject(new TypeError('no'))
    await draw()
    await pass(500)
    await pass(2_000)
    expect([asks(), query.error?.code]).toEqual([3, 'NO_ANSWER'])
    tab.answers['contacts/get'] = { n: 1 }
    await pass(3_000)
    expect([asks(), query.data, query.error]).toEqual([4, { n: 1 }, null])
  })
})

test('An answer that could not be had is not asked for once nothing shows it.', async () => {
  const shown = signal(true)
  const Shown = () => h(Pages, { shown: shown.value, id: 1 })
  await inTime(tab, async (pass) => {
    tab.answers['contacts/get'] = () => Promise.reject(new TypeError('no'))
    await tab.draw(h('div', null, h(Shown, null)))
    await pass(500)
    await pass(2_000)
    shown.value = false
    await tab.settled()
    await pass(3_000)
    expect(asks()).toBe(3)
  })
})

test('A list is read to its end, page by page.', async () => {
  let every: Query<readonly { id: number }[]>
  const Lists = () => {
    every = useEvery('lists/list', {})
    return null
  }
  tab.answers['lists/list'] = ({ cursor }: { cursor?: string }) => {
    const at = Number(cursor ?? 0)
    return { items: [list(at, `List ${at}`)], next_cursor: at < 2 ? String(at + 1) : null }
  }
  await tab.draw(h('div', null, h(Lists, null)))
  expect(every!.data!.map(({ id }) => id)).toEqual([0, 1, 2])
  expect(tab.sent('lists/list').map(({ cursor }) => cursor)).toEqual([undefined, '1', '2'])
})

test('A list whose later page is refused is not shown in part.', async () => {
  let every: Query<readonly unknown[]>
  const Lists = () => {
    every = useEvery('lists/list', { include_archived: true })
    return null
  }
  tab.answers['lists/list'] = ({ cursor }: { cursor?: string }) =>
    cursor ? new Refusal(403, 'FORBIDDEN') : { items: [list(1, 'A')], next_cursor: 'x' }
  await tab.draw(h('div', null, h(Lists, null)))
  expect([every!.data, every!.error?.code]).toEqual([undefined, 'FORBIDDEN'])
})

let action: Action<number, unknown>
const done: unknown[] = []
function Acts({ act }: { act: (input: number) => Promise<unknown> }) {
  action = useAction(act, { invalidates: ['contacts/'], done: (output) => void done.push(output) })
  return h('p', null, action.busy ? 'busy' : (action.error?.code ?? 'still'))
}

test('An action runs once at a time, and says what came of it.', async () => {
  tab.answers['contacts/get'] = { n: 1 }
  let give = (_: unknown) => {}
  const act = () => new Promise((resolve) => (give = resolve))
  await tab.draw(h('div', null, h(Asks, null), h(Acts, { act })))
  const first = action.run(1)
  await tab.settled()
  expect([tab.texts('p')[1], await action.run(2)]).toEqual(['busy', null])
  give('output')
  expect(await first).toBe('output')
  await tab.settled()
  expect([done.splice(0), asks(), tab.texts('p')[1]]).toEqual([['output'], 2, 'still'])
})

test('A refused action keeps its error until it is cleared or runs again.', async () => {
  let refuse = true
  const act = async () => {
    if (refuse) throw new ApiError('CONFLICT', 'No.', { status: 409 })
  }
  await tab.draw(h(Acts, { act }))
  expect(await action.run(1)).toBeNull()
  await tab.settled()
  expect(tab.text('p')).toBe('CONFLICT')
  action.clear()
  await tab.settled()
  expect(tab.text('p')).toBe('still')
  await action.run(1)
  refuse = false
  await action.run(1)
  await tab.settled()
  expect([tab.text('p'), done.splice(0)]).toEqual(['still', [undefined]])
})

test('An error that is no refusal is thrown on, and the action is over.', async () => {
  await tab.draw(h(Acts, { act: () => Promise.reject(new Error('a fault')) }))
  expect(action.run(1)).rejects.toThrow('a fault')
  await tab.settled()
  expect(tab.text('p')).toBe('still')
})

let mutation: Action<{ list_id: number }, unknown>
function Mutates() {
  mutation = useMutation('lists/delete') as never
  return null
}
const keys = () => tab.sent('lists/delete').map(({ idempotency_key }) => idempotency_key as string)

/** Deletes the list 1, which stays without an answer. */
async function deletesWithoutAnswer(pass: (ms: number) => Promise<void>): Promise<void> {
  tab.answers['lists/delete'] = () => Promise.reject(new TypeError('no'))
  await tab.draw(h('div', null, h(Mutates, null)))
  void mutation.run({ list_id: 1 })
  await tab.settled()
  await pass(500)
  await pass(2_000)
}

test('The same change without an answer keeps its key, so that it cannot happen twice.', async () => {
  await inTime(tab, async (pass) => {
    await deletesWithoutAnswer(pass)
    expect(mutation.error?.code).toBe('NO_ANSWER')
    tab.answers['lists/delete'] = {}
    mutation.error!.again!()
    await tab.settled()
    expect([keys().length, new Set(keys()).size]).toEqual([4, 1])
    await mutation.run({ list_id: 1 })
    expect(new Set(keys()).size).toBe(2)
  })
})

test('Another change after one without an answer has a key of its own.', async () => {
  await inTime(tab, async (pass) => {
    await deletesWithoutAnswer(pass)
    tab.answers['lists/delete'] = {}
    await mutation.run({ list_id: 2 })
    const calls = tab.sent('lists/delete')
    expect(calls.at(-1)).toMatchObject({ list_id: 2 })
    expect(calls.at(-1).idempotency_key).not.toBe(calls[0].idempotency_key)
  })
})

test('Another change, or one that was refused, has a key of its own.', async () => {
  tab.answers['lists/delete'] = new Refusal(409, 'CONFLICT')
  await tab.draw(h('div', null, h(Mutates, null)))
  await mutation.run({ list_id: 1 })
  await mutation.run({ list_id: 1 })
  await mutation.run({ list_id: 2 })
  expect([new Set(keys()).size, mutation.error?.again]).toEqual([3, undefined])
})
