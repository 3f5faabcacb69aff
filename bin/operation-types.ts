/**
 * Writes the types of all operations and JSON routes for the web application, from the same declarations as the OpenAPI
 * documents: `bun bin/operation-types.ts`. test/operation-types.test.ts finds a file that is out of date.
 */
import { join } from 'node:path'
import { apiDocuments } from '../src/http/documents.ts'
import { clientTypes } from '../src/operation/client-types.ts'

export const OPERATION_TYPES = join(import.meta.dir, '../static/app/api/operations.d.ts')

export function operationTypes(): string {
  return `// Written by bin/operation-types.ts. Do not edit.\n\n${clientTypes(apiDocuments())}`
}

if (import.meta.main) await Bun.write(OPERATION_TYPES, operationTypes())
