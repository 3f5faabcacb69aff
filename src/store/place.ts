import fs from 'node:fs'
import { sha256 } from '../secrets.ts'

/**
 * The place of a file or folder: what tells it from its copies (docs/operations.md#facts). It holds the inode number,
 * the time of birth in nanoseconds, which no program that copies can set on Linux, and the machine. The device number
 * is not part of it: many file systems have another one after each mount.
 */
export function placeOf(path: string, machine = machineId()): string | null {
  const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
  // A file system that does not know the time of birth says 0.
  return found ? `${found.ino}.${found.birthtimeNs}@${machine ?? ''}` : null
}

/** Whether two places are the same. A machine that is not known may be any. */
export function isSamePlace(one: string, other: string): boolean {
  const [[file, machine], [other_file, other_machine]] = [one.split('@'), other.split('@')]
  return file === other_file && (!machine || !other_machine || machine === other_machine)
}

let knownMachine: string | null | undefined

function machineId(): string | null {
  if (knownMachine === undefined) knownMachine = readMachineId()
  return knownMachine
}

const ID_CHARACTERS = 16

/**
 * A hash of the machine's id; null where there is none that lasts. The file of a container belongs to its image, so it
 * counts only under systemd, which keeps one for each installed system.
 */
function readMachineId(): string | null {
  try {
    const id =
      process.platform === 'darwin'
        ? /"IOPlatformUUID" = "([^"]+)"/.exec(
            Bun.spawnSync(['ioreg', '-rd1', '-c', 'IOPlatformExpertDevice']).stdout.toString(),
          )?.[1]
        : fs.existsSync('/run/systemd/system') && fs.readFileSync('/etc/machine-id', 'utf8').trim()
    return id ? sha256(id).slice(0, ID_CHARACTERS) : null
  } catch {
    return null
  }
}
