import { environmentName, flagName } from '../config.ts'
import type { Command } from './command.ts'
import { columns } from './columns.ts'
import { SETTINGS } from '../settings.ts'

/** The text of `masthead help`. */
export function overview(commands: readonly Command[]): string {
  return [
    'Masthead: websites, apps and newsletters for many projects, in one program.',
    '',
    'Usage: masthead COMMAND [FLAGS]',
    '',
    columns([
      ...commands.map(({ name, summary }) => [`  ${name}`, summary]),
      ['  help [COMMAND]', 'Print this text, or the help of a command.'],
    ]),
    '',
    'COMMAND --help describes a command. With --json a command prints one line of JSON.',
    'Settings come from flags, MASTHEAD_… environment variables and masthead.toml: see masthead serve --help.',
  ].join('\n')
}

/** The help of commands that share their first word, such as `user`. */
export function familyHelp(word: string, family: readonly Command[]): string {
  return [
    `Usage: masthead ${word} COMMAND [FLAGS]`,
    '',
    columns(family.map(({ name, summary }) => [`  ${name}`, summary])),
  ].join('\n')
}

/** The text of `masthead COMMAND --help`. */
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
      'Settings: a flag overrides its environment variable, which overrides the settings file.',
      '',
      settingsTable(),
    ].join('\n')
  return [
    ...lines,
    '',
    'Every setting is also a flag, such as --data-dir and --database-url: see masthead serve --help.',
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

/** The text of docs/configuration.md, made from SETTINGS. */
export function configurationPage(): string {
  const rows = Object.entries(SETTINGS).map(([setting, { help, placeholder, default: fallback, secret, between }]) => {
    const without = fallback === '' ? '' : `\`${String(fallback)}\``
    const range = between ? ` from ${between.map((end) => end.toLocaleString('en')).join(' to ')}` : ''
    const value = `\`${placeholder.replaceAll('|', '\\|')}\`${range}`
    return `| \`${environmentName(setting)}\` | ${value} | ${without} | ${help}${secret ? ' Secret.' : ''} |`
  })
  return [
    '# Settings',
    '',
    'A flag overrides the environment variable, which overrides `masthead.toml` in the current folder (or the file',
    'given with `--config`). Without any of them the default applies. `MASTHEAD_DATA_DIR` is the flag `--data-dir` and',
    '`data_dir` in the file. An unknown name or an invalid value stops the start.',
    '',
    '`masthead help configuration` prints this page.',
    '',
    '| Variable | Value | Default | Meaning |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n')
}
