import { AppError, type Flaw } from '../errors.ts'
import { checkCode } from '../scripts/code.ts'
import { checkParameters } from '../scripts/parameters.ts'
import { placeholderKeys } from '../scripts/placeholders.ts'
import { checkRendered, renderScript } from '../scripts/render.ts'
import type { ParameterFormats } from '../store/tables/scripts.ts'

/** A script as sites would get it. */
export interface Trial {
  /** With the values; a placeholder without one stays. */
  code: string
  /** What the code can be given. */
  keys: string[]
  /** Why the script could not be saved; null when it can be. */
  problem: string | null
}

/** Renders a script that is not saved, and says what stands in the way of saving it. */
export function tryScript(text: { code: string; parameters?: unknown; parameter_formats?: ParameterFormats }): Trial {
  const { code, parameter_formats = {} } = text
  const keys = placeholderKeys(code)
  try {
    const parameters = checkParameters(text.parameters ?? {})
    const filled = { code: checkCode(code), parameters, parameter_formats }
    checkRendered(filled)
    return { code: renderScript(filled.code, parameters, parameter_formats), keys, problem: null }
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') throw error
    const [flaw] = error.details as Flaw[]
    return { code, keys, problem: flaw?.message ?? error.message }
  }
}
