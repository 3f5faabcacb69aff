import { expect, test } from 'bun:test'
import { claimsMemory, createClaims, forgetClaims } from '../src/shared-claims.ts'

test('A name is claimed once among the threads, and again after its release.', () => {
  const claims_memory = claimsMemory()
  const [here, there] = [0, 1].map((thread) => createClaims({ claims_memory, thread })) as [Claims, Claims]
  const held = here.take('key', 'mine')
  expect(here.take('key', 'other')).toEqual({ claimed: 'mine' })
  expect(there.take('key', 'other')).toEqual({ claimed: null })
  expect(there.take('another key', '')).toHaveProperty('release')
  if ('release' in held) held.release()
  expect(there.take('key', 'other')).toHaveProperty('release')
})

test('Thousands of names that are claimed and released leave no claim.', () => {
  const claims_memory = claimsMemory()
  const [here, there] = [0, 1].map((thread) => createClaims({ claims_memory, thread })) as [Claims, Claims]
  const names = Array.from({ length: 5_000 }, (_, n) => `key ${n}`)
  const held = names.map((name) => here.take(name, ''))
  const shared = names.filter((name) => !('release' in there.take(name, '')))
  expect(shared.length).toBeGreaterThan(4_800)
  for (const claim of held) if ('release' in claim) claim.release()
  expect(shared.every((name) => 'release' in there.take(name, ''))).toBe(true)
})

test('The claims of a thread that ended are free for the others.', () => {
  const claims_memory = claimsMemory()
  createClaims({ claims_memory, thread: 1 }).take('key', '')
  const here = createClaims({ claims_memory, thread: 0 })
  expect(here.take('key', '')).toEqual({ claimed: null })
  forgetClaims(claims_memory, 1)
  expect(here.take('key', '')).toHaveProperty('release')
})

type Claims = ReturnType<typeof createClaims>
