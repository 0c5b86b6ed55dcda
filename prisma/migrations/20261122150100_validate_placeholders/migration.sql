ALTER TABLE "media_files" VALIDATE CONSTRAINT "media_files_placeholder_check";
