import { environmentName, flagName, SETTINGS } from '../config.ts'
import type { Command } from './command.ts'
import { columns } from './columns.ts'

export function overview(commands: readonly Command[]): string {
  return [
    'Masthead: websites, apps and newsletters of many projects, in one program.',
    '',
    'Usage: masthead COMMAND [FLAGS]',
    '',
    columns([
      ...commands.map(({ name, summary }) => [`  ${name}`, summary]),
      ['  help [COMMAND]', "This text, or a command's own."],
    ]),
    '',
    'Every command explains itself with --help. With --json it prints one line of JSON.',
    'Settings come from flags, MASTHEAD_… variables and masthead.toml: see masthead serve --help.',
  ].join('\n')
}

export function familyHelp(word: string, family: readonly Command[]): string {
  return [
    `Usage: masthead ${word} COMMAND [FLAGS]`,
    '',
    columns(family.map(({ name, summary }) => [`  ${name}`, summary])),
  ].join('\n')
}

export function commandHelp(command: Command): string {
  const own = Object.entries(command.flags).map(([flag, { takes, required, help }]) => [
    `  --${flag}${takes ? ` ${takes}` : ''}`,
    required ? `${help} Required.` : help,
  ])
  const common = [
    ...(command.json ? [['  --json', 'Print one line of JSON.']] : []),
    ...(command.settings ? [['  --config FILE', 'Read settings from this file instead of ./masthead.toml.']] : []),
    ['  --help', 'Print this text.'],
  ]
  const lines = [
    `Usage: masthead ${[command.name, ...command.args].join(' ')} [FLAGS]`,
    '',
    command.summary,
    '',
    columns([...own, ...common]),
  ]
  if (!command.settings) return lines.join('\n')
  if (command.name === 'serve')
    return [
      ...lines,
      '',
      'Settings: a flag goes before its variable, a variable before the file.',
      '',
      settingsTable(),
    ].join('\n')
  return [
    ...lines,
    '',
    'Settings are flags, too, such as --data-dir and --database-url: see masthead serve --help.',
  ].join('\n')
}

function settingsTable(): string {
  return Object.entries(SETTINGS)
    .map(([setting, { help, placeholder, default: fallback }]) => {
      const without = fallback === '' ? '' : ` (${String(fallback)})`
      return `  ${flagName(setting)} ${placeholder}, ${environmentName(setting)}${without}\n      ${help}`
    })
    .join('\n')
}

/** docs/configuration.md: every setting, from the one table. */
export function configurationPage(): string {
  const rows = Object.entries(SETTINGS).map(([setting, { help, placeholder, default: fallback, secret }]) => {
    const without = fallback === '' ? '' : `\`${String(fallback)}\``
    return `| \`${environmentName(setting)}\` | \`${placeholder.replaceAll('|', '\\|')}\` | ${without} | ${help}${secret ? ' Secret.' : ''} |`
  })
  return [
    '# Settings',
    '',
    'A setting comes from a flag, else from the environment, else from `masthead.toml` in the current folder (or the file named with `--config`), else it has its default. `MASTHEAD_DATA_DIR` is `--data-dir` as a flag and `data_dir` in the file. A name that is not in this table, and a value that is not of its form, stop the start.',
    '',
    'This page is printed by `masthead help configuration`.',
    '',
    '| Variable | Value | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}
