import { expect, spyOn, test } from 'bun:test'
import { hashNewPassword, passwordFlaws, checkPassword } from '../../src/accounts/passwords.ts'

test('a password is 8 characters to 1024 bytes', () => {
  const message = (password: string) => passwordFlaws(password)[0]?.message
  expect(message('1234567')).toContain('at least 8')
  expect(message('12345678')).toBeUndefined()
  expect(message('👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀👩‍🚀')).toBeUndefined()
  expect(message('x'.repeat(1024))).toBeUndefined()
  expect(message('ü'.repeat(513))).toContain('at most 1024')
})

test('an unknown account costs the same work as a wrong password', async () => {
  const hash = await hashNewPassword('the right one')
  expect(hash).toStartWith('$argon2id$')
  expect([
    await checkPassword('the right one', hash),
    await checkPassword('another one', hash),
    await checkPassword('the right one', null),
  ]).toEqual([true, false, false])

  const verify = spyOn(Bun.password, 'verify')
  await checkPassword('another one', hash)
  await checkPassword('another one', null)
  // `$argon2id$v=19$m=…,t=…,p=…$salt$hash`: memory and rounds determine the work.
  const parameters = verify.mock.calls.map(([, compared]) => String(compared).split('$').slice(1, 4))
  verify.mockRestore()
  expect(parameters).toEqual([hash.split('$').slice(1, 4), hash.split('$').slice(1, 4)])
})

test('many passwords compared at once all get their own answer', async () => {
  const hash = await hashNewPassword('the right one')
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => checkPassword(index % 2 ? 'the right one' : 'wrong', hash)),
  )
  expect(answers).toEqual(Array.from({ length: 8 }, (_, index) => index % 2 === 1))
})
