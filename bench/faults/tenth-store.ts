import type { Fault } from '../faults.ts'

/** Faults of a tenth round over the journal and the database file that no related test noticed at first. */
export const faults: Fault[] = [
  {
    name: 'session-joined-null',
    harm: 'A joined row whose columns are all null is read as no row.',
    file: 'src/store/file-session.ts',
    find: 'row, this.joinsNotNullableMap)',
    replace: 'row)',
  },
  {
    name: 'session-values-without-placeholders',
    harm: 'A prepared query that reads values fails.',
    file: 'src/store/file-session.ts',
    find: "return this.runNow('values', placeholders)\n  }\n\n  private",
    replace: "return this.runNow('values', undefined)\n  }\n\n  private",
  },
  {
    name: 'journal-follows-open-leases',
    harm: 'A large file of open leases is written again at each lease that closes.',
    file: 'src/store/journal.ts',
    find: '    if (open_bytes > file.bytes / 2) return\n',
    replace: '',
  },
  {
    name: 'journal-follows-mostly-open',
    harm: 'A file that is mostly of open leases is followed by another one as large.',
    file: 'src/store/journal.ts',
    find: 'file.bytes / 2',
    replace: 'file.bytes',
  },
  {
    name: 'journal-not-sealed-is-trusted',
    harm: 'A message is sent twice: a journal is believed whose writer can go on.',
    file: 'src/store/journal.ts',
    find: ".code === 'ENOENT'",
    replace: ".code !== 'EACCES'",
  },
  {
    name: 'journal-of-a-longer-name',
    harm: 'The journal of a living worker is sealed and removed with that of another one.',
    file: 'src/store/journal.ts',
    find: 'name.startsWith(`${worker_id}.`)',
    replace: 'name.startsWith(worker_id)',
  },
  {
    name: 'journal-order-by-text',
    harm: 'From the tenth file on, an older answer replaces the newer one.',
    file: 'src/store/journal.ts',
    find: '.toSorted((one, other) => generationOf(one) - generationOf(other))',
    replace: '.toSorted()',
  },
  {
    name: 'journal-without-folder',
    harm: 'A recovery fails on a machine that has no journal yet.',
    file: 'src/store/journal.ts',
    find: 'existsSync(folder) ? readdirSync(folder) : []',
    replace: 'readdirSync(folder)',
  },
]
