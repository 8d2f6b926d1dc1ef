import { getMetadataStorage } from 'class-validator';

type Rules = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>;

/**
 * Lets class-validator find the rules of a class once. It compares the class with all others, and groups its rules by
 * field, for each object that it validates, although the rules of a class never change.
 */
export function rememberRules(): void {
  const storage = getMetadataStorage();
  const lookUp = storage.getTargetValidationMetadatas.bind(storage);
  const known = new Map<unknown, Rules>();
  storage.getTargetValidationMetadatas = (target, ...options) => {
    const rules = known.get(target) ?? lookUp(target, ...options);
    known.set(target, rules);
    return rules;
  };
  const group = storage.groupByPropertyName.bind(storage);
  const grouped = new Map<Rules, ReturnType<typeof group>>();
  storage.groupByPropertyName = (rules) => {
    const groups = grouped.get(rules) ?? group(rules);
    grouped.set(rules, groups);
    return groups;
  };
}
