import { expect, test } from 'bun:test'
import {
  hostOf,
  invitationMessage,
  message,
  passwordChangedMessage,
  resetMessage,
} from '../../src/accounts/message-templates.ts'
import { portalLink } from '../../src/accounts/links.ts'

const BASE = 'https://masthead.example:8443'

test('A message says the same as text and as HTML, with its link and the service below.', () => {
  const parts = {
    subject: 'A <b>',
    paragraphs: ['One & two.\nThree.', 'Four.'],
    link: { label: 'Go "on"', address: `${BASE}/a?b&c` },
    closing: 'The end.',
  }
  const { subject, text, html } = message(BASE, parts)
  expect(subject).toBe('A <b>')
  expect(text).toBe(`One & two.\nThree.\n\nFour.\n\n${BASE}/a?b&c\n\nThe end.\n\nMasthead, ${BASE}\n`)
  for (const part of [
    '<html lang="en" dir="ltr">',
    '<title>A &lt;b&gt;</title>',
    'One &amp; two.<br>Three.</p>',
    `<a href="${BASE}/a?b&amp;c"`,
    '>Go &quot;on&quot;</a>',
    'The end.</p>',
    `Masthead, ${BASE}</p>`,
  ])
    expect(html).toContain(part)
  const plain = message(BASE, { subject: 'A', paragraphs: ['One.'], closing: 'The end.', lang: 'he' })
  expect(plain.text).toBe(`One.\n\nThe end.\n\nMasthead, ${BASE}\n`)
  expect(plain.html).toContain('<html lang="he" dir="rtl">')
  expect(plain.html).not.toContain('<a ')
})

test('Each message names the service, and leads to its page of the portal.', () => {
  expect([hostOf(BASE), portalLink(BASE, 'reset', 'svc_pr_x')]).toEqual([
    'masthead.example:8443',
    `${BASE}/portal/reset?token=svc_pr_x`,
  ])
  const reset = resetMessage({ link: `${BASE}/portal/reset?token=x`, base_url: BASE })
  const changed = passwordChangedMessage({ portal_url: `${BASE}/portal`, base_url: BASE })
  const invited = invitationMessage({
    ...{
      inviter: 'Ann',
      project: 'Quay',
      role: 'an editor',
      link: `${BASE}/portal/invitation?token=x`,
      base_url: BASE,
    },
  })
  for (const { text } of [reset, changed, invited]) expect(text).toContain('at masthead.example:8443')
  expect(reset.text).toContain(`${BASE}/portal/reset?token=x`)
  expect(changed.text).toContain(`ask for a new password at once: ${BASE}/portal/reset`)
  expect(invited.subject).toBe('Invitation to a project at masthead.example:8443')
  expect(invited.text).toContain('Ann invites you to the project “Quay” at masthead.example:8443, as an editor.')
  expect(invited.text).toContain(`${BASE}/portal/invitation?token=x`)
})
