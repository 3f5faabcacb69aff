import { command } from './command.ts'

export const contactsImport = command({
  name: 'contacts import',
  summary: 'Import contacts from a CSV file of any size, or from standard input (-).',
  args: ['PROJECT', 'CSV'],
  flags: {
    map: {
      takes: 'COLUMN=FIELD,…',
      help: 'Fields (email, full_name, status, tags, custom.KEY …) by header or number from 0. Default: guessed.',
    },
    list: { takes: 'LIST,…', help: 'Lists to subscribe the contacts to, by id or name.' },
    tag: { takes: 'TAG,…', help: 'Tags to add to the contacts, by id or name.' },
    'consent-text': { takes: 'TEXT', help: 'The wording that the contacts agreed to.' },
    'consent-confirmed': { help: 'You confirm that the contacts agreed: double opt-in lists ask no confirmation.' },
    'send-confirmation': { help: 'Double opt-in lists send a confirmation message to each contact.' },
    'update-existing': { help: 'Also update existing contacts.' },
    'abort-on-invalid': { help: 'Import nothing when any row is invalid.' },
    delimiter: { takes: 'CHARACTER', help: 'Column delimiter: , ; | or tab. Default: detected in the first line.' },
    'on-invalid-value': { takes: 'fail_row|drop_value', help: 'Whether a wrong value fails its row, the default.' },
    'date-format': { takes: 'iso|dmy|mdy', help: 'How days are written. Default: guessed from the first rows.' },
    'default-status': { takes: 'STATUS', help: 'Status of rows that say none. Default: subscribed.' },
    'create-tags': { help: 'Create tags that the project does not have.' },
    report: { takes: 'FILE', help: 'Append a CSV line about each row of the dry-run to this file.' },
    'dry-run': { help: 'Validate the file and report, without importing.' },
  },
  run: async ({ args: [project, csv], flags, settings }) =>
    (await import('./contacts-import.ts')).importContacts({ project, csv, flags, settings }),
})

export const contactsExport = command({
  name: 'contacts export',
  summary: 'Export contacts as CSV to a new file, or to standard output (-).',
  args: ['PROJECT', '[FILE]'],
  flags: { columns: { takes: 'NAME,…', help: 'Columns: fields of a contact and custom.KEY. Default: all columns.' } },
  run: async ({ args: [project, file], flags, settings, json }) =>
    (await import('./contacts-export.ts')).exportContacts({ project, file, columns: flags.columns, settings, json }),
})

export const moveIn = command({
  name: 'move-in',
  summary: 'Import the exports of listmonk, ghost, mailchimp, mailtrain, keila, substack or brevo.',
  args: ['PROVIDER', 'CSV…'],
  flags: {
    project: { takes: 'PROJECT', required: true, help: 'The project to import into, by id, slug or domain.' },
    list: { takes: 'LIST,…', help: 'Lists to subscribe to, by id or name: those who did not opt out.' },
    'consent-text': { takes: 'TEXT', help: 'The wording that the contacts agreed to.' },
    report: { takes: 'FILE', help: 'Append a CSV line about each row to this file.' },
    'dry-run': { help: 'Validate the files and report, without importing.' },
  },
  run: async ({ args: [provider, ...files], flags, settings }) =>
    (await import('./move-in.ts')).moveIn({ provider, files, flags, settings }),
})

const fileOfSuppressions = { args: ['PROJECT', 'FILE'] } as const

export const suppressionsImport = command({
  name: 'suppressions import',
  summary: 'Suppress the addresses of a CSV file (columns email and, optionally, reason).',
  ...fileOfSuppressions,
  run: async ({ args: [project, file], settings }) =>
    (await import('./suppressions.ts')).importSuppressions(settings, project, file),
})

export const suppressionsExport = command({
  name: 'suppressions export',
  summary: 'Export the suppressed addresses as CSV to a new file, or to standard output (-).',
  ...fileOfSuppressions,
  run: async ({ args: [project, file], settings }) =>
    (await import('./suppressions.ts')).exportSuppressions(settings, project, file),
})
