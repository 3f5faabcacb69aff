import { command } from './command.ts'

export const contactsImport = command({
  name: 'contacts import',
  summary: 'Import contacts from a CSV file of any size, or from standard input (-).',
  args: ['PROJECT', 'CSV'],
  flags: {
    map: {
      takes: 'COLUMN=FIELD,…',
      help: 'What columns hold, by header or number from 0: email, first_name, last_name, custom.KEY. As the headers suggest when left out.',
    },
    list: { takes: 'LIST,…', help: 'Lists to subscribe to, by id or name.' },
    tag: { takes: 'TAG,…', help: 'Tags to put on them, by id or name.' },
    'consent-text': { takes: 'TEXT', help: 'The words that these people agreed to.' },
    'consent-confirmed': { help: 'You vouch that they agreed: no double opt-in list asks again.' },
    'send-confirmation': { help: 'Double opt-in lists ask each of them.' },
    'update-existing': { help: 'Change contacts that are there already, too.' },
    'abort-on-invalid': { help: 'Import nothing when a row is invalid.' },
    delimiter: { takes: 'CHARACTER', help: 'Found out from the first line when left out; "tab" for a tab.' },
    'dry-run': { help: 'Only read the file and report.' },
  },
  run: async ({ args: [project, csv], flags, settings }) =>
    (await import('./contacts-import.ts')).importContacts({ project, csv, flags, settings }),
})

export const contactsExport = command({
  name: 'contacts export',
  summary: 'Export contacts as CSV to a new file, or to standard output (-).',
  args: ['PROJECT', '[FILE]'],
  flags: { columns: { takes: 'NAME,…', help: "Of a contact's fields and custom.KEY; all of them when left out." } },
  run: async ({ args: [project, file], flags, settings, json }) =>
    (await import('./contacts-export.ts')).exportContacts({ project, file, columns: flags.columns, settings, json }),
})
