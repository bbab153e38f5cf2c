import { showsSubmissions } from '../simulation/submissions/shows-submissions.ts';

showsSubmissions(700, 101);
