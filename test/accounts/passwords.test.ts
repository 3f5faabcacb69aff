import { expect, spyOn, test } from 'bun:test'
import { hashNewPassword, passwordFlaws, checkPassword } from '../../src/accounts/passwords.ts'

test('A password is 8 characters to 1024 bytes.', () => {
  const message = (password: string) => passwordFlaws(password, 'olive@harbour.example')[0]?.message
  expect(message('1234567')).toContain('at least 8')
  expect(message('🚀'.repeat(7))).toContain('at least 8')
  expect(message('kq4-mzt7')).toBeUndefined()
  expect(message('👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀')).toBeUndefined()
  expect(message('x'.repeat(1024))).toBeUndefined()
  expect(message('ü'.repeat(513))).toContain('at most 1024')
})

test('A password that others guess is refused, unless the operator sets it.', () => {
  const flaws = (password: string, email: string | null = 'olive.marsh@harbour.example') =>
    passwordFlaws(password, email).length
  for (const password of [
    '12345678',
    'Password1',
    'iloveyou',
    'olive.marsh',
    'OliveMarsh2026!',
    '!Harbour-1',
    'masthead99',
  ])
    expect([password, flaws(password), flaws(password, null)]).toEqual([password, 1, 0])
  for (const password of [
    'olive trees at dawn',
    'password of the harbour',
    '9071 5523 8864',
    'correct horse battery staple',
  ])
    expect([password, flaws(password)]).toEqual([password, 0])
})

test('An unknown account costs the same work as a wrong password.', async () => {
  const hash = await hashNewPassword('the right one')
  expect(hash).toStartWith('$argon2id$')
  expect([
    await checkPassword('the right one', hash, 'strangers'),
    await checkPassword('another one', hash, 'strangers'),
    await checkPassword('the right one', null, 'strangers'),
  ]).toEqual([true, false, false])

  const verify = spyOn(Bun.password, 'verify')
  await checkPassword('another one', hash, 'strangers')
  await checkPassword('another one', null, 'strangers')
  // `$argon2id$v=19$m=…,t=…,p=…$salt$hash`: memory and rounds determine the work.
  const parameters = verify.mock.calls.map(([, compared]) => String(compared).split('$').slice(1, 4))
  verify.mockRestore()
  expect(parameters).toEqual([hash.split('$').slice(1, 4), hash.split('$').slice(1, 4)])
})

test('Many passwords compared at once all get their own answer.', async () => {
  const hash = await hashNewPassword('the right one')
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => checkPassword(index % 2 ? 'the right one' : 'wrong', hash, 'strangers')),
  )
  expect(answers).toEqual(Array.from({ length: 8 }, (_, index) => index % 2 === 1))
})

test('Two passwords of strangers are compared at a time, 200 wait, and a known device waits for none.', async () => {
  const finish: (() => void)[] = []
  const verify = spyOn(Bun.password, 'verify').mockImplementation(
    () => new Promise((resolve) => finish.push(() => resolve(true))),
  )
  const hash = '$argon2id$of-nobody'
  const compare = () => checkPassword('the right one', hash, 'strangers')
  const underway = Array.from({ length: 202 }, compare)
  await expect(compare()).rejects.toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } })
  // The third comparison is that of the known device, whose answer comes first.
  const known = checkPassword('the right one', hash, 'known')
  while (finish.length < 3) await Promise.resolve()
  finish.pop()!()
  expect(await known).toBe(true)
  for (let done = 0; done < 202; done++) {
    while (finish.length === 0) await Promise.resolve()
    expect(verify.mock.calls.length).toBe(Math.min(203, done + 3))
    finish.shift()!()
    await underway[done]
  }
  const after = Array.from({ length: 6 }, compare)
  while (finish.length === 0) await Promise.resolve()
  await Promise.resolve()
  expect(verify.mock.calls.length).toBe(203 + 2)
  for (const one of after) {
    while (finish.length === 0) await Promise.resolve()
    finish.shift()!()
    expect(await one).toBe(true)
  }
  verify.mockRestore()
})
