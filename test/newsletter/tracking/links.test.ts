import { expect, test } from 'bun:test'
import { OWN_LINK_PATH, ownLinkUrl, PUBLIC_ROOT, publicUrl } from '../../../src/newsletter/tracking/links.ts'

test('The addresses in messages stay as they are, because old messages keep them.', () => {
  const base = 'https://mail.example'
  expect([PUBLIC_ROOT, OWN_LINK_PATH]).toEqual(['/general/newsletter', '/general/newsletter/own-link/:project'])
  expect(ownLinkUrl(base, 'prj_a')).toBe('https://mail.example/general/newsletter/own-link/prj_a')
  for (const page of ['unsubscribe', 'preferences', 'view', 'confirm', 'click', 'open'] as const)
    expect(publicUrl(base, page, 'tok')).toBe(`https://mail.example/general/newsletter/${page}/tok`)
})
