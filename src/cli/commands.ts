import { openapi, version } from './about.ts'
import { secretsBeginAnew } from './begin-anew.ts'
import { apiKeyCreate, apiKeyList, apiKeyRevoke } from './api-keys.ts'
import { auditList } from './audit.ts'
import { clientTypescript } from './client.ts'
import type { Command } from './command.ts'
import { contactsExport, contactsImport, moveIn, suppressionsExport, suppressionsImport } from './contacts.ts'
import { backup, migrateNow } from './database.ts'
import { dkimCreate, dkimDelete, dkimList, dkimVerify } from './dkim.ts'
import { doctor } from './doctor.ts'
import { fixture } from './fixture.ts'
import { projectAddMember, projectCreate, projectList, projectSetDomain } from './projects.ts'
import { ready } from './ready.ts'
import { factsReplay } from './replay.ts'
import { restore } from './restore.ts'
import { secretsForget, secretsReseal, secretsRotate, secretsStatus } from './secrets.ts'
import { serve } from './serve.ts'
import { siteImport } from './site.ts'
import { userCreate, userDisable, userList, userResetSecondFactor, userSetPassword, userSignOut } from './users.ts'

/** All commands, in the order of the help text. */
export const commands: readonly Command[] = [
  serve,
  ready,
  fixture,
  migrateNow,
  backup,
  restore,
  factsReplay,
  doctor,
  secretsStatus,
  secretsRotate,
  secretsReseal,
  secretsForget,
  secretsBeginAnew,
  userCreate,
  userList,
  userSetPassword,
  userDisable,
  userSignOut,
  userResetSecondFactor,
  projectCreate,
  projectList,
  projectSetDomain,
  projectAddMember,
  dkimCreate,
  dkimList,
  dkimVerify,
  dkimDelete,
  apiKeyCreate,
  apiKeyList,
  apiKeyRevoke,
  auditList,
  siteImport,
  contactsImport,
  contactsExport,
  moveIn,
  suppressionsImport,
  suppressionsExport,
  openapi,
  clientTypescript,
  version,
]
