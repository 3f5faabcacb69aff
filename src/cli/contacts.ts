import { command } from './command.ts'

export const contactsImport = command({
  name: 'contacts import',
  summary: 'Import contacts from a CSV file of any size, or from standard input (-).',
  args: ['PROJECT', 'CSV'],
  flags: {
    map: {
      takes: 'COLUMN=FIELD,…',
      help: 'Fields (email, first_name, last_name, custom.KEY) by header or number from 0. Default: guessed.',
    },
    list: { takes: 'LIST,…', help: 'Lists to subscribe the contacts to, by id or name.' },
    tag: { takes: 'TAG,…', help: 'Tags to add to the contacts, by id or name.' },
    'consent-text': { takes: 'TEXT', help: 'The wording that the contacts agreed to.' },
    'consent-confirmed': { help: 'You confirm that the contacts agreed: double opt-in lists ask no confirmation.' },
    'send-confirmation': { help: 'Double opt-in lists send a confirmation message to each contact.' },
    'update-existing': { help: 'Also update existing contacts.' },
    'abort-on-invalid': { help: 'Import nothing when any row is invalid.' },
    delimiter: { takes: 'CHARACTER', help: 'Column delimiter: , ; | or tab. Default: detected in the first line.' },
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
