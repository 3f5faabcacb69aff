import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { didYouMean } from './did-you-mean.ts'
import type { Setting } from './setting-kinds.ts'
import { SETTINGS } from './settings.ts'

export type SettingName = keyof typeof SETTINGS
export type Config = { readonly [K in SettingName]: ReturnType<(typeof SETTINGS)[K]['parse']> } & {
  /** The source of each setting; one that has its default is missing. */
  readonly sources?: ReadonlyMap<SettingName, SettingSource>
}

/** An invalid setting. The message is one line for the person who starts the service. */
export class ConfigError extends Error {}

export const environmentName = (setting: string): string => `MASTHEAD_${setting.toUpperCase()}`
export const flagName = (setting: string): string => `--${setting.replaceAll('_', '-')}`

/** The default settings with some values replaced. Reads neither environment nor files; for tests. */
export function configOf(values: Partial<Config> = {}): Config {
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([setting, { default: value }]) => [setting, value]))
  return { ...defaults, ...values } as Config
}

interface ConfigSources {
  /** Values given as flags, by setting name. */
  flags?: Partial<Record<SettingName, string>>
  environment?: Record<string, string | undefined>
  /** Path of a settings file that must exist. Without it `./masthead.toml` is read if it exists. */
  file?: string | undefined
}

/** Where the value of a setting comes from. */
export const SETTING_SOURCES = ['default', 'flag', 'environment', 'file'] as const
type SettingSource = (typeof SETTING_SOURCES)[number]

/** Where the value of a setting was read from; the default for one that nothing sets. */
export function sourceOf(config: Config, setting: SettingName): SettingSource {
  return config.sources?.get(setting) ?? 'default'
}

/** Reads all settings. Throws ConfigError for an unknown name or an invalid value. */
export function readConfig(sources: ConfigSources = {}): Config {
  const environment = sources.environment ?? process.env
  refuseUnknownVariables(environment)
  const file = readSettingsFile(sources.file)
  const sources_of = new Map<SettingName, SettingSource>()
  const values: Record<string, unknown> = { sources: sources_of }
  for (const [setting, rule] of Object.entries(SETTINGS)) {
    const found = given(setting as SettingName, sources.flags ?? {}, environment, file)
    values[setting] = found === undefined ? rule.default : parsed(rule, found.value, found.source)
    if (found !== undefined) sources_of.set(setting as SettingName, found.kind)
  }
  if (values.oidc_issuer !== '' && values.oidc_client_id === '')
    throw new ConfigError(`${environmentName('oidc_issuer')} needs ${environmentName('oidc_client_id')}.`)
  if (values.backup_s3_bucket !== '') {
    const missing = (['backup_s3_key', 'backup_s3_secret'] as const).find((setting) => values[setting] === '')
    if (missing) throw new ConfigError(`${environmentName('backup_s3_bucket')} needs ${environmentName(missing)}.`)
    if (values.backup_dir !== '')
      throw new ConfigError(
        `Backups go to one place: set ${environmentName('backup_dir')} or ${environmentName('backup_s3_bucket')}.`,
      )
  }
  return values as Config
}

function given(
  setting: SettingName,
  flags: Partial<Record<SettingName, string>>,
  environment: Record<string, string | undefined>,
  file: SettingsFile,
) {
  const variable = environmentName(setting)
  const places: { kind: SettingSource; value: string | undefined; source: string }[] = [
    { kind: 'flag', value: flags[setting], source: flagName(setting) },
    { kind: 'environment', value: environment[variable], source: variable },
    { kind: 'file', value: file.values[setting], source: `${setting} in ${file.path}` },
  ]
  return places.find((place): place is (typeof places)[number] & { value: string } => place.value !== undefined)
}

function parsed(rule: Setting<string> | Setting<number> | Setting<boolean>, value: string, source: string): unknown {
  try {
    return rule.parse(value)
  } catch (error) {
    throw new ConfigError(`${source} ${(error as Error).message}${rule.secret ? '' : `, not "${value}"`}.`)
  }
}

function refuseUnknownVariables(environment: Record<string, string | undefined>): void {
  const known = new Set(Object.keys(SETTINGS).map(environmentName))
  for (const variable of Object.keys(environment)) {
    if (variable.startsWith('MASTHEAD_') && !known.has(variable)) {
      const hint = IN_EXAMPLES.has(variable) ? OF_EXAMPLES : didYouMean(variable, [...known])
      throw new ConfigError(`Unknown setting ${variable}.${hint}`)
    }
  }
}

/** Variables of callers in the examples of the documentation. They are refused: one may be meant as the secret key. */
const IN_EXAMPLES: ReadonlySet<string> = new Set(['MASTHEAD_KEY', 'MASTHEAD_TOKEN', 'MASTHEAD_COOKIE'])
const OF_EXAMPLES = ' In examples it is a credential of a caller: do not export it where masthead runs.'

interface SettingsFile {
  path: string
  values: Record<string, string>
}

function readSettingsFile(path: string | undefined): SettingsFile {
  const file = resolve(path ?? 'masthead.toml')
  if (!existsSync(file)) {
    if (path !== undefined) throw new ConfigError(`The settings file ${path} does not exist.`)
    return { path: file, values: {} }
  }
  const values: Record<string, string> = {}
  for (const [setting, value] of Object.entries(parseToml(file))) {
    if (!(setting in SETTINGS))
      throw new ConfigError(`Unknown setting ${setting} in ${file}.${didYouMean(setting, Object.keys(SETTINGS))}`)
    if (typeof value === 'object') throw new ConfigError(`${setting} in ${file} expects a single value.`)
    values[setting] = String(value)
  }
  return { path: file, values }
}

function parseToml(file: string): Record<string, unknown> {
  try {
    return Bun.TOML.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
  } catch (error) {
    throw new ConfigError(`${file} is not valid TOML: ${(error as Error).message}`)
  }
}
