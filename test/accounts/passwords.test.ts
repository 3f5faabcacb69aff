import { expect, test } from 'bun:test'
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

  const least = async (compared: string | null) => {
    const times: number[] = []
    for (let run = 0; run < 3; run++) {
      const before = performance.now()
      await checkPassword('another one', compared)
      times.push(performance.now() - before)
    }
    return Math.min(...times)
  }
  const [known, unknown] = [await least(hash), await least(null)]
  expect(unknown).toBeGreaterThan(known / 3)
})

test('many passwords compared at once all get their own answer', async () => {
  const hash = await hashNewPassword('the right one')
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, index) => checkPassword(index % 2 ? 'the right one' : 'wrong', hash)),
  )
  expect(answers).toEqual(Array.from({ length: 8 }, (_, index) => index % 2 === 1))
})
