import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../api/permissions.js';
import { Button } from '../ui/button.js';
import { buttonClass } from '../ui/button-class.js';
import { AnswersDialog } from './answers-dialog.js';
import { answersQuery } from './app-answers.queries.js';

/** Opens the settings of answers; without an app of a store that asks, leads to the apps. */
export function SetUpAnswers({ projectId }: { projectId: string }) {
  const { data: apps } = useQuery(answersQuery(projectId));
  const may = useMay('updateApp');
  const [isOpen, setIsOpen] = useState(false);
  if (apps?.length === 0) {
    return (
      <Link to="/projects/$projectId/apps" params={{ projectId }} className={buttonClass({})}>
        Set up answers
      </Link>
    );
  }
  return (
    <>
      <Button
        disabledReason={may.reason ?? (apps ? null : 'Loading the apps.')}
        onClick={() => setIsOpen(true)}
      >
        Set up answers
      </Button>
      {isOpen && apps && <AnswersDialog projectId={projectId} apps={apps} onClose={() => setIsOpen(false)} />}
    </>
  );
}
