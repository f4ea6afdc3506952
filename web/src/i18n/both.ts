/** Words of the page for whoever speaks in both languages at once, as the server does. */

import type { Words } from '../api/types';
import { en } from './en';
import { id } from './id';

/** A game that is no longer there. */
export const GONE: Words = { en: en.gameDeleted, id: id.gameDeleted };
