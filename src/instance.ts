import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Config, ConfigError } from './config.ts'
import { newMasterKey } from './secrets.ts'
import { unpackNativeModuleBelow } from './store/native-module.ts'

/**
 * The data folder contains the embedded database, its native module and the secret key. The key is generated at the
 * first start, readable by its owner only.
 */
export function withSecretKey(config: Config): Config {
  if (config.secret_key !== '') return config
  const folder = dataFolder(config)
  const file = join(folder, 'secret.key')
  if (!existsSync(file)) {
    writeFileSync(file, `${newMasterKey()}\n`, { mode: 0o600, flag: 'wx' })
    chmodSync(file, 0o600)
  }
  const key = readFileSync(file, 'utf8').trim()
  if (Buffer.byteLength(key) < 32) throw new ConfigError(`${file} does not hold a secret key.`)
  return { ...config, secret_key: key }
}

/** The address of the database: the setting, or the file in the data folder. */
export function databaseUrl(config: Config): string {
  return config.database_url !== '' ? config.database_url : `file:${join(dataFolder(config), 'masthead.db')}`
}

/** The data folder, created with mode 0700 when it is missing. The native module is unpacked below it. */
export function dataFolder(config: Config): string {
  const folder = resolve(config.data_dir)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new ConfigError(`The data folder ${folder} cannot be created: ${(error as Error).message}`)
  }
  unpackNativeModuleBelow(folder)
  return folder
}
