import { TextField } from '../fields/fields';

/** A parameter of a list that finds things by a part of their names. */
export const NamePartField = (things: string) =>
  TextField({
    description: `Only ${things} whose name has this in it, in whatever case.`,
    max: 200,
    optional: true,
  });

/** SQL for the same: a name in which `:q` is, or any if it is null. */
export const hasPart = (name: string): string => `(:q::text IS NULL OR strpos(lower(${name}), lower(:q)) > 0)`;
