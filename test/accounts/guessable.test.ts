import { expect, test } from 'bun:test'
import { isGuessable } from '../../src/accounts/guessable.ts'

test('Common passwords are guessable in any case, and so are names with signs around them.', () => {
  for (const password of [
    'Password123',
    'iloveyou',
    'Masthead2026!',
    '--ada.lovelace--1',
    'harbour99',
    'harbour.example',
    'Ada.Lovelace@Harbour.example',
  ])
    expect([password, isGuessable(password, 'ada.lovelace@harbour.example')]).toEqual([password, true])
  for (const password of ['correct horse battery staple', 'mastheads', 'ada', '1234!?', 'lovelace of harbour'])
    expect([password, isGuessable(password, 'ada.lovelace@harbour.example')]).toEqual([password, false])
})
