import type { Fault } from '../faults.ts'

/** Faults of samples, written by people who had not seen the tests, that no test noticed at first. */
export const faults: Fault[] = [
  {
    name: 'secret-of-nothing',
    harm:
      'Anybody who knows the address can forge Mailgun reports for a connection without a webhook ' +
      'secret, because an HMAC with an empty key is accepted.',
    file: 'src/newsletter/connections/webhooks/mailgun.ts',
    find: "    secret !== '' &&\n    token !== '' &&",
    replace: "    token !== '' &&",
  },
  {
    name: 'former-addresses-left',
    harm:
      'The former addresses of a deleted contact stay in the stored soft bounces, column samples and ' +
      'row errors of imports, which a person who asked for erasure and the operator can find.',
    file: 'src/newsletter/contacts/erasure.ts',
    find: 'of [...due, ...former]) {',
    replace: 'of due) {',
  },
  {
    name: 'styles-in-safe-html',
    harm:
      'Integrators who show the sanitized HTML of a post from the CMS API in their own pages get the ' +
      "author's inline styles, which may cover or imitate the page.",
    file: 'src/sites/safe-html.ts',
    find: "'*': ['lang', 'dir'],",
    replace: "'*': ['lang', 'dir', 'style'],",
  },
  {
    name: 'mail-test-accepts',
    harm:
      'An operator who tests the mail is told that it works although the relay cannot be reached or ' +
      'refused temporarily.',
    file: 'src/accounts/mail-test.ts',
    find: "return outcome.kind === 'sent' ? null : outcome.message",
    replace: "return outcome.kind === 'permanent' ? outcome.message : null",
  },
  {
    name: 'fixture-on-real-data',
    harm: 'With a database URL in the environment, the fixture seeds that real database instead of its temporary one.',
    file: 'src/cli/fixture.ts',
    find: "    database_url: '',\n",
    replace: '',
  },
  {
    name: 'short-prefix',
    harm:
      'An IPv6 entry such as 2001:db8::1/128 in trusted_proxies is ignored, so all clients behind that ' +
      'proxy share one address.',
    file: 'src/http/core/proxies.ts',
    find: '!/^\\d{1,3}$/',
    replace: '!/^\\d{1,2}$/',
  },
  {
    name: 'old-count-as-new',
    harm:
      'While the service counts (or fails to), the number for the previous rules is shown as if it ' +
      'were that of the present ones.',
    file: 'static/app/rules/live-count.ts',
    find: 'is_old: settled.text !== text || !counted,',
    replace: 'is_old: settled.text !== text,',
  },
  {
    name: 'checks-on-leaving',
    harm:
      'A user who mends something in another tab and comes back to the campaign sees the old checks: ' +
      'they run on leaving, not on returning.',
    file: 'static/app/site/campaigns/checks-card.tsx',
    find: "document.visibilityState === 'visible'",
    replace: "document.visibilityState === 'hidden'",
  },
  {
    name: 'marked-seconds-ahead',
    harm: 'An unsubscribe in the seconds before the send time of a message does not count.',
    file: 'src/newsletter/outbox/groups.ts',
    find: 'MARKED_AHEAD_MS = 50',
    replace: 'MARKED_AHEAD_MS = 5000',
  },
  {
    name: 'opt-outs-of-duplicates',
    harm: 'The check of a file counts fewer opt-outs than its rows say.',
    file: 'src/newsletter/imports/examine.ts',
    find: '    if (alone) findings.opted_out += 1\n',
    replace: '    if (alone && !isDuplicate) findings.opted_out += 1\n',
  },
  {
    name: 'one-column-of-complaints',
    harm: 'A file with two columns of complaints cannot be mapped.',
    file: 'src/newsletter/imports/mapping.ts',
    find: "new Set(['status', 'opted_out', 'bounced', 'complained'])",
    replace: "new Set(['status', 'opted_out', 'bounced'])",
  },
  {
    name: 'paste-by-semicolon',
    harm: 'A pasted line of values apart by semicolons becomes one value.',
    file: 'static/app/rules/value-editors.tsx',
    find: '/[\\n\\t,;]/.test',
    replace: '/[\\n\\t,]/.test',
  },
  {
    name: 'dns-looked-up-twice',
    harm: 'Records that were found at once are looked up a second time, with a row in the audit log.',
    file: 'static/app/site/sending/dns-card.tsx',
    find: '      looked_up.current = from_domain\n',
    replace: '',
  },
  {
    name: 'address-with-blanks',
    harm: 'A suppression whose address comes back shows it with blanks around it.',
    file: 'src/newsletter/suppressions/address-marks.ts',
    find: 'email.trim()]',
    replace: 'email]',
  },
  {
    name: 'sent-before-checks',
    harm: 'A campaign can be sent before its checks have come.',
    file: 'static/app/site/campaigns/review.tsx',
    find: 'busy={people === null || !readiness.data || saving.busy}',
    replace: 'busy={people === null || saving.busy}',
  },
  {
    name: 'backspace-deletes-heading',
    harm: 'Backspace in a heading deletes it with its text.',
    file: 'static/app/letter/block-body.tsx',
    find: 'doc.content.size === 0 && removeEmpty',
    replace: 'removeEmpty',
  },
  {
    name: 'backspace-deletes-text',
    harm: 'Backspace in a text deletes it.',
    file: 'static/app/letter/block-body.tsx',
    find: 'isEmptyText(doc) && removeEmpty',
    replace: 'removeEmpty',
  },
  {
    name: 'version-without-before',
    harm: 'A version is shown as the first until the one before it has loaded.',
    file: 'static/app/developer/app-data.ts',
    find: 'known && (previous === undefined || before.data)',
    replace: 'known',
  },
  {
    name: 'minus-as-formula',
    harm: 'A cell that begins with a minus is run as a formula.',
    file: 'static/app/ui/csv.ts',
    find: '/^[=+\\-@\\t\\r]/',
    replace: '/^[=+@\\t\\r]/',
  },
  {
    name: 'key-of-the-change-before',
    harm: 'Another change is sent with the key of the one before, and refused.',
    file: 'static/app/api/action.ts',
    find: 'if (intention.current?.input !== input) intention.current',
    replace: 'if (!intention.current) intention.current',
  },
  {
    name: 'page-after-the-last',
    harm: 'An archive whose last page is full leads on to a page that is not there.',
    file: 'src/http/public/letters.ts',
    find: 'letters.length > LETTERS_A_PAGE ?',
    replace: 'letters.length >= LETTERS_A_PAGE ?',
  },
  {
    name: 'second-factor-leads-elsewhere',
    harm: 'After the second factor the return address of the form leads to another site.',
    file: 'src/http/portal/home.routes.ts',
    find: 'const back = safeReturn(given)',
    replace: 'const back = given ?? START',
  },
  {
    name: 'busy-app-clears-all-logs',
    harm: 'When a busy app exceeds its rows, older rows of all other apps are deleted, too.',
    file: 'src/developer/request-log.ts',
    find: 'WHERE surplus.app_id = app.value AND surplus.id <= (',
    replace: 'WHERE surplus.id <= (',
  },
  {
    name: 'new-picture-for-nothing',
    harm: 'The new picture does not count, so an app exceeds its 20 MiB of pictures.',
    file: 'src/developer/images.ts',
    find: 'sum + image.bytes, content.length)',
    replace: 'sum + image.bytes, 0)',
  },
  {
    name: 'load-again-by-itself',
    harm: 'A part that failed to load is loaded again and again.',
    file: 'static/app/later.tsx',
    find: "state !== 'waiting') return",
    replace: "state === 'ready') return",
  },
  {
    name: 'platform-call-without-question',
    harm: 'A platform call that changes something is made without asking first.',
    file: 'static/app/developer/api-call.tsx',
    find: ": call.method !== 'GET'",
    replace: ': false',
  },
]
